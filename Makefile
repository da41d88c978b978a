# make help lists the targets, by the text after ## beside each; a line with ## alone is a heading.
#
# What is missing beyond Swift itself is installed before a build begins: NEEDS, by .ci/needs, which prints nothing if
# nothing is missing. Targets without a build expect their tools, such as python3, to be installed.

PREFIX ?= /usr/local
# Not every shell expands it there.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
ARGS ?=
SWIFT_FLAGS ?=
# The folder of the build is in no stripped binary: two builds of a commit are the same, wherever they were made.
# It is in the debug information, and so would be in a build ID.
PREFIX_MAP := -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
# SWIFT_FLAGS are the caller's, such as --disable-sandbox.
# In a terminal, the compiler would be asked for colors; without them, all is compiled again.
RELEASE := swift build $(SWIFT_FLAGS) -c release --product carillon --no-color-diagnostics $(PREFIX_MAP)
# The functions that run until the first frame, which packaging/startup-order lists for a release.
STARTUP_ORDER := .build/startup.order
ifeq ($(shell uname),Linux)
# The Swift runtime goes into the binary: distributions do not have it. lld comes with Swift, folds equal
# functions, packs relocations, and places the functions of STARTUP_ORDER together. It would also take in all of
# Foundation, of which nothing is used: two libraries define the same function, and lld takes it from the first
# one, which is Foundation. Nothing is loaded into the program, so nothing needs its symbols.
RELEASE += --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
	-Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker --build-id=none \
	-Xlinker -T -Xlinker "$(CURDIR)/packaging/sections.ld" \
	-Xswiftc -Xfrontend -Xswiftc -function-sections \
	$(if $(wildcard $(STARTUP_ORDER)),-Xlinker --symbol-ordering-file="$(CURDIR)/$(STARTUP_ORDER)" \
	-Xlinker --no-warn-symbol-ordering) \
	-Xswiftc -Xfrontend -Xswiftc -disable-autolink-library -Xswiftc -Xfrontend -Xswiftc Foundation
# Older C libraries cannot load packed relocations.
ifneq ($(shell printf '%s\n' 2.36 "$$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.* //')" | sort -CV && echo yes),)
RELEASE += -Xlinker -z -Xlinker pack-relative-relocs
endif
# The C++ runtime, which a TOML parser takes, goes into the binary where its archive is: a library less
# to find on another machine, and a MiB less to map. The linker takes an archive only from a folder that
# has no shared library beside it.
CXX_ARCHIVE := $(wildcard $(shell clang -print-file-name=libstdc++.a 2>/dev/null))
STATIC_CXX := $(if $(CXX_ARCHIVE),.build/archives/libstdc++.a)
RELEASE += $(if $(STATIC_CXX),-Xlinker "-L$(CURDIR)/$(dir $(STATIC_CXX))")
endif
SOURCES := Package.swift Sources Tests Assets Integrations Examples

BENCHMARKS := swift run -c release --no-color-diagnostics --package-path Tests/Benchmarks

.DEFAULT_GOAL := help
# All are names of actions, not of files.
.PHONY: help run demo unit test lint snippets docs install uninstall build release needs startup-order bench soak soak-dashboard \
	waiting-input mutants fuzz fuzz-guided faults sanitize integrations event-loop inspected-server deb tarball source \
	package-test package-check reproducible release-check pictures

# The arguments of .ci/needs for a build, the unit tests and all tests. A target's NEEDS are those of the build that it
# waits for, too.
NEEDS := ncurses
NEEDS_UNIT := $(NEEDS) tzdata locales
NEEDS_TEST := $(NEEDS_UNIT) tmux inotifywait

help: ## this list
	@awk '/^## / { print "\n" substr($$0, 4) } \
	  /^[a-z][a-z -]*:.* ## / { split($$0, part, /:.* ## /); printf "  make %-16s  %s\n", part[1], part[2] }' Makefile

## To use it

run: release ## builds the program and opens the board; ARGS='tea=3m every 30s' are its arguments
	@"$$($(RELEASE) --show-bin-path)/carillon" $(ARGS)

demo: release ## builds the program and begins the guided tour, then the scenes
	@"$$($(RELEASE) --show-bin-path)/carillon" demo $(ARGS)

release: $(STATIC_CXX) ## builds the program as it is installed
	@.ci/needs $(NEEDS)
	@$(RELEASE)

ifneq ($(STATIC_CXX),)
$(STATIC_CXX):
	@mkdir -p $(dir $@)
	@ln -sf $(CXX_ARCHIVE) $@
endif

## To change it

build: ## builds everything for the tests
	@.ci/needs $(NEEDS)
	@swift build --build-tests --explicit-target-dependency-import-check error

unit: NEEDS := $(NEEDS_UNIT)
unit: build ## runs the unit tests alone: all but those in terminals
	@swift test --skip-build --skip EndToEndTests

# The tests in real terminals run after all others, when nothing else uses the processors, and eight at a time: more only
# wait for one another. No process that they have started outlives them. `build` stands before `unit`, so that it has these
# NEEDS.
test: NEEDS := $(NEEDS_TEST)
test: build unit ## runs every test: the unit tests, then those that use the program in terminals
	@before=$$(.ci/processes) && \
	  swift test --skip-build --filter EndToEndTests --experimental-maximum-parallelization-width 8 && \
	  .ci/processes $$before

needs: NEEDS := $(NEEDS_TEST) python3 jq
needs: ## installs what the tests, the snippets and the documentation need
	@.ci/needs $(NEEDS)

lint: ## checks format, imports, links to symbols and language
	@swift format lint --strict --recursive $(SOURCES)
	@.ci/imports
	@.ci/links
	@.ci/language

snippets: NEEDS := $(NEEDS) python3
snippets: build ## type-checks the code in README.md, docs, TimerKit's documentation and doc comments
	@.ci/snippets

docs: NEEDS := $(NEEDS) jq
docs: build ## builds TimerKit's documentation in .build/docs
	@.ci/docs

integrations: ## tests the packages in Integrations, with those that they integrate TimerKit with
	@for package in Integrations/*/; do swift test --package-path "$$package" || exit; done

# CI builds neither of the two.
event-loop: ## runs an example: timers in an event loop of one thread, with commands from standard input
	@swift run --package-path Examples/EventLoop

inspected-server: ## runs an example: a server with 10,000 timers, to attach to
	@swift run -c release --no-color-diagnostics --package-path Examples/InspectedServer

pictures: NEEDS := $(NEEDS) python3
pictures: ## takes the pictures of README.md again; ARGS=tour takes one; needs pyte, pillow, DejaVu Sans Mono
	@.ci/needs $(NEEDS)
	@swift build --product carillon
	@swift build -c release --no-color-diagnostics --package-path Examples/InspectedServer
	@packaging/pictures "$$(swift build --show-bin-path)/carillon" $(ARGS)

## To measure it, on an idle machine: each takes minutes or an hour, and says how far it is

bench: ## TimerKit beside other ways of making timers; ARGS='--quick', or '--rows instant --sizes 100k --runs 3'
	@$(BENCHMARKS) Benchmarks $(ARGS)

soak: ## 100,000 timers under random control, against a model; ARGS='--minutes 1 --timers 5000 --rate 6000'
	@$(BENCHMARKS) Soak $(ARGS)

soak-dashboard: NEEDS := $(NEEDS_TEST) python3
soak-dashboard: release ## the memory growth of a busy dashboard; ARGS='--minutes 2'
	@Tests/Faults/soak $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

waiting-input: NEEDS := $(NEEDS_TEST) python3
waiting-input: release ## 64 KiB of input in each prompt, during which the program must go on answering
	@Tests/Faults/waiting-input $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

faults: NEEDS := $(NEEDS_TEST) python3
faults: release ## failures of terminals and machines; ARGS='--seconds 6 --moments 10', or the name of one
	@Tests/Faults/faults $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

# An interrupted run continues with the remaining faults.
mutants: ## faults in the code, each of which a test must find; ARGS='--only WakePlan', or '--suite Board'
	@Tests/Mutations/mutants $(ARGS)

# With python3-croniter, 10,000 cron expressions are compared with it, too.
fuzz: build ## random input with a new seed; FUZZ_SECONDS=2 limits each fuzz target, FUZZ_SEED=7 repeats a run
	@Tests/Fuzzing/fuzz

fuzz-guided: ## the same by libFuzzer, which searches for input that reaches new code; FUZZ_SECONDS=10
	@.ci/needs $(NEEDS_TEST)
	@Tests/Fuzzing/guided $(UNDEFINED)

# The undefined behavior sanitizer, for the C code: Swift has none on Linux. Its check "null" is off for C++,
# because it fails on a line of TOMLKit whose result nobody uses.
UNDEFINED := -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined -Xcxx -fno-sanitize=null

# All but the tests in terminals under the address and the undefined behavior sanitizer, and TimerKit's under
# the thread sanitizer. That does not see the standard library's mutex on Linux; with -DTSAN, TimerKit's mutex
# has an atomic beside it, which the sanitizer sees. SANITIZERS=thread is shorter, and so are the tests of a
# FILTER. The address sanitizer keeps what is freed, so that growth cannot be measured under it. ASAN_OPTIONS
# leave the signals of a crash to the program's own handlers, and turn off the search for leaks, which would
# report what Dispatch and the Swift runtime keep to the end.
SANITIZERS ?= address thread
SANITIZED_address := --sanitize address $(UNDEFINED) \
	$(if $(FILTER),--filter '$(FILTER)',--skip EndToEndTests --skip TimersLeakNothing --skip callsDoNotAccumulate)
SANITIZED_thread := --sanitize thread --filter '$(or $(FILTER),TimerKitTests)' -Xswiftc -DTSAN
ASAN_OPTIONS := detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0
sanitize: ## the tests under sanitizers; SANITIZERS=thread or address, FILTER=NAME
	@.ci/needs $(NEEDS_TEST)
	@$(foreach sanitizer,$(SANITIZERS),ASAN_OPTIONS=$(ASAN_OPTIONS) SWIFT_BACKTRACE=enable=no \
	  swift test --scratch-path .build/$(sanitizer) $(SANITIZED_$(sanitizer)) &&) true

## To install it

# One binary, its man pages, its completions and the unit that runs a session; uninstall removes exactly these.
# systemd looks for units of users in the share folder of /usr, /usr/local and ~/.local.
BINARY := $(DESTDIR)$(PREFIX)/bin/carillon
MANUAL := $(DESTDIR)$(PREFIX)/share/man/man1/carillon.1
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/carillon
ZSH_COMPLETION := $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_carillon
FISH_COMPLETION := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/carillon.fish
PROTOCOL := $(DESTDIR)$(PREFIX)/share/man/man7/carillon-protocol.7
ifeq ($(shell uname),Darwin)
UNIT_SOURCE := packaging/carillon.plist
UNIT := $(DESTDIR)$(PREFIX)/share/carillon/carillon.plist
else
UNIT_SOURCE := packaging/carillon.service
UNIT := $(DESTDIR)$(PREFIX)/share/systemd/user/carillon.service
endif
INSTALLED := $(BINARY) $(MANUAL) $(PROTOCOL) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(UNIT)

install: release ## installs the program, its man pages, completions and unit; PREFIX=~/.local
	@install -d $(dir $(INSTALLED))
	@install -s -m 755 "$$($(RELEASE) --show-bin-path)/carillon" "$(BINARY)"
	@"$(BINARY)" --generate-man-page >"$(MANUAL)"
	@install -m 644 packaging/carillon-protocol.7 "$(PROTOCOL)"
	@sed 's|/usr/bin/carillon|$(PREFIX)/bin/carillon|' $(UNIT_SOURCE) >"$(UNIT)"
	@"$(BINARY)" --generate-completion-script bash | sed '1{/^#!/d;}' >"$(BASH_COMPLETION)"
	@"$(BINARY)" --generate-completion-script zsh >"$(ZSH_COMPLETION)"
	@"$(BINARY)" --generate-completion-script fish >"$(FISH_COMPLETION)"
	@chmod 644 $(filter-out $(BINARY),$(INSTALLED))
	@printf 'installed %s\n' $(INSTALLED)

uninstall: ## removes exactly these
	@rm -f $(INSTALLED)

## To release it (packaging/README.md)

# For the packages of a release: the next release build places the functions of the start together.
startup-order: NEEDS := $(NEEDS) python3 valgrind
startup-order: release ## lists the functions of the start, which the next release build places together
	@packaging/startup-order "$$($(RELEASE) --show-bin-path)/carillon" $(STARTUP_ORDER)

deb tarball source: ## a Debian package, an archive, or a source archive in .build/packages
	@packaging/$@

package-test: deb ## installs, uses and purges the Debian package in a clean root
	@packaging/test "$$(ls -t .build/packages/*.deb | head -1)"

package-check: ## checks the syntax of what is packaged with the tools that are installed
	@packaging/check

reproducible: ## builds the commit in two folders and compares the packages
	@packaging/reproducible

release-check: release ## checks that VERSION=2.0.0 is the version everywhere, and prints the commands of the tag
	@packaging/release-check "$(VERSION)" "$$($(RELEASE) --show-bin-path)/carillon"
