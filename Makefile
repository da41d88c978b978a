# make run | test | lint | snippets | docs | install PREFIX=~/.local     (ARGS='tea=3m every 30s' make run)
#
# Each target first installs what is missing beyond Swift itself, and says nothing when nothing is.

PREFIX ?= /usr/local
# Not every shell expands it there.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
ARGS ?=
# The C++ runtime, which a TOML parser takes, goes into the binary where its archive is: a library less
# to find on another machine, and a MiB less to map. The linker takes an archive only from a folder that
# has no shared library beside it.
CXX_ARCHIVE := $(wildcard $(shell clang -print-file-name=libstdc++.a 2>/dev/null))
STATIC_CXX := $(if $(CXX_ARCHIVE),.build/archives/libstdc++.a)
RELEASE := swift build -c release --static-swift-stdlib --product carillon \
	$(if $(STATIC_CXX),-Xlinker "-L$(CURDIR)/$(dir $(STATIC_CXX))")
SOURCES := Package.swift Sources Tests Assets

BENCHMARKS := swift run -c release --package-path Tests/Benchmarks

.PHONY: run test lint snippets docs install uninstall build release bench soak soak-dashboard mutants fuzz \
	fuzz-guided faults sanitize

# What a build needs, and what the tests need on top of it.
NEEDS_BUILD := ncurses
NEEDS_TEST := ncurses tmux tzdata locales inotifywait
NEEDS_SNIPPETS := python3
NEEDS_DOCS := jq

run: release
	@"$$($(RELEASE) --show-bin-path)/carillon" $(ARGS)

release: $(STATIC_CXX)
	@.ci/needs $(NEEDS_BUILD)
	@$(RELEASE)

ifneq ($(STATIC_CXX),)
$(STATIC_CXX):
	@mkdir -p $(dir $@)
	@ln -sf $(CXX_ARCHIVE) $@
endif

build:
	@.ci/needs $(NEEDS_BUILD)
	@swift build --build-tests --explicit-target-dependency-import-check error

# Programs in real terminals are watched after the rest, when nothing else takes the processors.
test: build
	@.ci/needs $(NEEDS_TEST)
	@swift test --skip-build --skip EndToEndTests
	@swift test --skip-build --filter EndToEndTests

# About an hour; ARGS='--quick', or ARGS='--rows instant steady --sizes 100k --runs 3', is shorter.
bench:
	@$(BENCHMARKS) Benchmarks $(ARGS)

# Ten minutes; ARGS='--minutes 1 --timers 5000 --rate 6000' is shorter.
soak:
	@$(BENCHMARKS) Soak $(ARGS)

# About an hour the first time; it goes on where it was. ARGS='--only WakePlan' is shorter.
mutants:
	@Tests/Mutations/mutants $(ARGS)

# Some ten minutes; FUZZ_SECONDS=2 is shorter for each target, FUZZ_SEED=7 plays the same again.
fuzz: build
	@Tests/Fuzzing/fuzz

# The same by libFuzzer; FUZZ_SECONDS=10 is shorter for each target.
fuzz-guided:
	@.ci/needs $(NEEDS_TEST)
	@Tests/Fuzzing/guided $(UNDEFINED)

# Some ten minutes; ARGS='--seconds 6 --moments 10' is shorter, and so is the name of a fault there.
faults: release
	@.ci/needs $(NEEDS_TEST) python3
	@Tests/Faults/faults $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

# Half an hour of a busy dashboard; ARGS='--minutes 2' is shorter.
soak-dashboard: release
	@.ci/needs $(NEEDS_TEST) python3
	@Tests/Faults/soak $(ARGS) "$$($(RELEASE) --show-bin-path)/carillon"

# The undefined behaviour sanitizer, in what is C: Swift has none on Linux. "null" is left out for a line of
# TOMLKit whose result nobody uses.
UNDEFINED := -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined -Xcxx -fno-sanitize=null

# All but the tests in terminals under the address and the undefined behaviour sanitizer, and TimerKit's under
# the thread sanitizer, which does not see the standard library's mutex on Linux and so needs TSAN, which
# TimerKit alone knows. SANITIZERS=thread is shorter, and so are the tests of a FILTER. The address
# sanitizer keeps what is freed, so that growth cannot be measured under it; the signals of a fault are the
# program's own; and what Dispatch and the Swift runtime keep to the end is no leak.
SANITIZERS ?= address thread
SANITIZED_address := --sanitize address $(UNDEFINED) \
	$(if $(FILTER),--filter '$(FILTER)',--skip EndToEndTests --skip LeaveNoGrowth)
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

# One binary, its man page and completions; nothing else, and uninstall takes exactly that away.
BINARY := $(DESTDIR)$(PREFIX)/bin/carillon
MANUAL := $(DESTDIR)$(PREFIX)/share/man/man1/carillon.1
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions/carillon
ZSH_COMPLETION := $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_carillon
FISH_COMPLETION := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/carillon.fish
INSTALLED := $(BINARY) $(MANUAL) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION)

install: release
	@install -d $(dir $(INSTALLED))
	@install -s -m 755 "$$($(RELEASE) --show-bin-path)/carillon" "$(BINARY)"
	@"$(BINARY)" --generate-man-page >"$(MANUAL)"
	@"$(BINARY)" --generate-completion-script bash >"$(BASH_COMPLETION)"
	@"$(BINARY)" --generate-completion-script zsh >"$(ZSH_COMPLETION)"
	@"$(BINARY)" --generate-completion-script fish >"$(FISH_COMPLETION)"
	@chmod 644 $(filter-out $(BINARY),$(INSTALLED))
	@printf 'installed %s\n' $(INSTALLED)

uninstall:
	@rm -f $(INSTALLED)
