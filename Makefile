# make run | demo | test | lint | snippets | docs | install PREFIX=~/.local     (ARGS='tea=3m every 30s' make run)
# make deb | tarball | source | package-test | package-check | reproducible     (packaging/README.md)
# make pictures     makes the pictures of README.md again, from the running program
#
# A target with a line .ci/needs first installs what is missing beyond Swift itself, and prints nothing if nothing is
# missing. The others expect their tools, such as python3, to be installed.

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

.PHONY: run demo test integrations event-loop inspected-server lint snippets docs install uninstall build release startup-order bench soak \
	soak-dashboard waiting-input mutants fuzz fuzz-guided faults sanitize deb tarball source package-test package-check reproducible pictures

# The arguments of .ci/needs for a build, the tests, the snippets and the documentation.
NEEDS_BUILD := ncurses
NEEDS_TEST := ncurses tmux tzdata locales inotifywait
NEEDS_SNIPPETS := python3
NEEDS_DOCS := jq

run: release
	@"$$($(RELEASE) --show-bin-path)/carillon" $(ARGS)

# The guided tour, then the scenes.
demo: release
	@"$$($(RELEASE) --show-bin-path)/carillon" demo $(ARGS)

release: $(STATIC_CXX)
	@.ci/needs $(NEEDS_BUILD)
	@$(RELEASE)

ifneq ($(STATIC_CXX),)
$(STATIC_CXX):
	@mkdir -p $(dir $@)
	@ln -sf $(CXX_ARCHIVE) $@
endif

# For the packages of a release: the next release build places the functions of the start together. A minute.
startup-order: release
	@.ci/needs python3 valgrind
	@packaging/startup-order "$$($(RELEASE) --show-bin-path)/carillon" $(STARTUP_ORDER)

build:
	@.ci/needs $(NEEDS_BUILD)
	@swift build --build-tests --explicit-target-dependency-import-check error

# The tests in real terminals run after all others, when nothing else uses the processors, and eight at a time: more only
# wait for one another. No process that they have started outlives them.
test: build
	@.ci/needs $(NEEDS_TEST)
	@swift test --skip-build --skip EndToEndTests
	@before=$$(.ci/processes) && \
	  swift test --skip-build --filter EndToEndTests --experimental-maximum-parallelization-width 8 && \
	  .ci/processes $$before

# The packages in Integrations, with those that they integrate TimerKit with.
integrations:
	@for package in Integrations/*/; do swift test --package-path "$$package" || exit; done

# Timers in an event loop of one thread, which reads commands from standard input. CI does not build it.
event-loop:
	@swift run --package-path Examples/EventLoop

# A server with 10,000 timers, to attach to. CI does not build it.
inspected-server:
	@swift run -c release --no-color-diagnostics --package-path Examples/InspectedServer

# About an hour; ARGS='--quick', or ARGS='--rows instant steady --sizes 100k --runs 3', is shorter.
bench:
	@$(BENCHMARKS) Benchmarks $(ARGS)

# Ten minutes; ARGS='--minutes 1 --timers 5000 --rate 6000' is shorter.
soak:
	@$(BENCHMARKS) Soak $(ARGS)

# About an hour; an interrupted run continues with the remaining faults. ARGS='--only WakePlan' is shorter, and
# ARGS='--suite Board' mutates the board.
mutants:
	@Tests/Mutations/mutants $(ARGS)

# Some ten minutes; FUZZ_SECONDS=2 limits each fuzz target to two seconds, and FUZZ_SEED=7 repeats the run with that
# seed. With python3-croniter, 10,000 cron expressions are compared with it, which takes some minutes more.
fuzz: build
	@Tests/Fuzzing/fuzz

# The same by libFuzzer; FUZZ_SECONDS=10 limits each fuzz target to ten seconds.
fuzz-guided:
	@.ci/needs $(NEEDS_TEST)
	@Tests/Fuzzing/guided $(UNDEFINED)

# Some ten minutes; ARGS='--seconds 6 --moments 10' is shorter; ARGS can also name a fault, to run it alone.
faults: release
	@.ci/needs $(NEEDS_TEST) python3
	@Tests/Faults/faults $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

# About five minutes; ARGS=tour makes only that recording. Needs pyte, pillow and the font DejaVu Sans Mono.
pictures:
	@.ci/needs $(NEEDS_BUILD) python3
	@swift build --product carillon
	@swift build -c release --no-color-diagnostics --package-path Examples/InspectedServer
	@packaging/pictures "$$(swift build --show-bin-path)/carillon" $(ARGS)

# A few minutes, on an idle machine: 64 KiB of input in each prompt, during which the program must go on answering.
waiting-input: release
	@.ci/needs $(NEEDS_TEST) python3
	@Tests/Faults/waiting-input $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

# Half an hour of a busy dashboard; ARGS='--minutes 2' is shorter.
soak-dashboard: release
	@.ci/needs $(NEEDS_TEST) python3
	@Tests/Faults/soak $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

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
sanitize:
	@.ci/needs $(NEEDS_TEST)
	@$(foreach sanitizer,$(SANITIZERS),ASAN_OPTIONS=$(ASAN_OPTIONS) SWIFT_BACKTRACE=enable=no \
	  swift test --scratch-path .build/$(sanitizer) $(SANITIZED_$(sanitizer)) &&) true

lint:
	@swift format lint --strict --recursive $(SOURCES)
	@.ci/imports
	@.ci/language

# Type-checks the code in README.md, TimerKit's documentation and its doc comments.
snippets: build
	@.ci/needs $(NEEDS_SNIPPETS)
	@.ci/snippets

docs: build
	@.ci/needs $(NEEDS_DOCS)
	@.ci/docs

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

install: release
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

uninstall:
	@rm -f $(INSTALLED)

# Packages, in .build/packages. packaging/README.md says what each is and where it has run.
deb tarball source:
	@packaging/$@

package-test: deb
	@packaging/test "$$(ls -t .build/packages/*.deb | head -1)"

package-check:
	@packaging/check

# Builds the commit in two folders and compares: about twenty minutes.
reproducible:
	@packaging/reproducible
