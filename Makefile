# limber - a thin front for CMake. `make help` says what there is.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

# what a configured build folder has; a failed configuration leaves none
READY = cmake_install.cmake

# cmake builds with a -j of its own: it must not take itself for a part of this make
APART = env -u MAKELEVEL -u MAKEFLAGS -u MFLAGS
CMAKE = $(APART) cmake
CTEST = $(APART) ctest --output-on-failure --no-tests=error -j $(JOBS)

.PHONY: all setup demo test fuzz soak mutants coverage analyze valgrind web python docs bench deb abi amalgamation install clean help
.DEFAULT_GOAL := all

# the groups of packages (scripts/setup) that the goals of this command line need
GROUPS_test = build test
GROUPS_bench = build bench
GROUPS_web = web
GROUPS_mutants = build test
GROUPS_coverage = build test check
GROUPS_analyze = build check
GROUPS_valgrind = build check
GROUPS_python = build python
GROUPS_docs = build python docs
GROUPS_abi = build abi
GROUPS_deb = build python deb
GROUPS = $(sort $(or $(foreach goal,$(MAKECMDGOALS),$(GROUPS_$(goal))),build))

all: build/$(READY) ## build the program, build/limber, and the libraries
	@$(CMAKE) --build build -j $(JOBS)

demo: build/$(READY) ## solve the Panda for a tool pose; print the result and draw it
	@$(CMAKE) --build build -j $(JOBS) --target example_demo
	@cd build && examples/demo
	@echo 'The figure is in build/demo.svg and build/demo.png.'

# the closing lines are those of the longer run, then what was skipped in it
test: all build-sanitizers/$(READY) ## run the quick tests under the sanitizers, then every test
	@$(CMAKE) --build build-sanitizers -j $(JOBS)
	@$(CTEST) --test-dir build-sanitizers -LE slow
	@$(CTEST) --test-dir build --output-junit tests.xml
	@scripts/skipped build/tests.xml

SECONDS ?= 60
fuzz: build-fuzz/$(READY) ## let libFuzzer attack each harness for SECONDS (60), by clang
	@$(CMAKE) --build build-fuzz -j $(JOBS) --target fuzz
	@scripts/fuzz build-fuzz $(SECONDS)

soak: build/$(READY) ## solve random and extreme problems for SECONDS (60), each result checked
	@$(CMAKE) --build build -j $(JOBS) --target soak
	@build/fuzz/soak 1000000000000 $(SECONDS) $(or $(SEED),1)

mutants: | setup ## change the library in COUNT (300) places, one at a time: which do the tests notice?
	@scripts/mutants --count $(or $(COUNT),300) $(if $(SEED),--seed $(SEED)) $(if $(ROOM),--room $(ROOM))

coverage: build-coverage/$(READY) ## run the tests and say which share of lines and branches they reach
	@$(CMAKE) --build build-coverage -j $(JOBS)
	@rm -rf build-coverage/coverage
	@$(CTEST) --test-dir build-coverage -LE 'slow|web'
	@scripts/coverage build-coverage

analyze: build/$(READY) ## look for defects with cppcheck and clang's analyzer
	@scripts/check-defects . build && echo 'No finding but those of scripts/check-defects.wrong.'

# programs that valgrind is of no use for, or too slow: each line a name or a pattern, then why
NOT_UNDER_VALGRIND = test/valgrind.left_out
valgrind: build-valgrind/$(READY) ## run the examples and tests under valgrind, less test/valgrind.left_out
	@$(CMAKE) --build build-valgrind -j $(JOBS)
	@$(CTEST) --test-dir build-valgrind -LE 'slow|web' -R '^(example|test)_' \
	    -E "^($$(sed -n 's/^\([a-z][^ ]*\) .*/\1/p' $(NOT_UNDER_VALGRIND) | paste -s -d '|' -))$$"

web: | setup ## build the page for browsers, static files in web/page/dist
	@scripts/web page
	@echo 'The page is in web/page/dist; build/limber view, which make builds, shows it.'

python: build/$(READY) ## build the Python module in place, build/python
	@$(CMAKE) --build build -j $(JOBS) --target limber_python
	@echo "PYTHONPATH=build/python $$(sed -n 's/^_*Python3_EXECUTABLE:[A-Z]*=//p' build/CMakeCache.txt | head -n 1) has it;" \
	    'python/README.md says how pip installs it.'

docs: python ## build the documentation site, build/docs/html
	@$(CMAKE) --build build -j $(JOBS) --target limber_program
	@scripts/docs build
	@echo 'The site is in build/docs/html/index.html.'

bench: all ## measure, and compare with peers where their packages are present
	@build/bench/robots_bench

deb: | setup ## build Debian's packages, build/deb: libraries, headers, program, Python module
	@scripts/deb build/deb
	@echo 'The packages are in build/deb.'

abi: build-abi/$(READY) ## compare what programs rely on with docs/abi.txt (docs/releasing.md)
	@$(CMAKE) --build build-abi -j $(JOBS)
	@scripts/abi compare docs/abi.txt include build-abi/liblimber.so build-abi/liblimber_formats.so \
	    build-abi/liblimber_figures.so

amalgamation: ## write the core as two files, build/amalgamation/limber.c and limber.h
	@scripts/amalgamate build/amalgamation
	@echo 'build/amalgamation/limber.c compiles with cc -O2 -c limber.c; link with -lm.'

install: all ## install below PREFIX (/usr/local)
	@$(CMAKE) --install build --prefix $(PREFIX)

clean: ## remove every build folder
	@rm -rf build build-* python/build python/dist python/*.egg-info web/page/dist web/test/out web/limber/*.wasm

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:
	@scripts/setup $(GROUPS)

build/$(READY): | setup
	@$(CMAKE) --preset release

build-%/$(READY): | setup
	@$(CMAKE) --preset $*
