# limber - a thin front for CMake. `make help` says what there is.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

# what a configured build folder has; a failed configuration leaves none
READY = cmake_install.cmake

# cmake builds with a -j of its own: it must not take itself for a part of this make
APART = env -u MAKELEVEL -u MAKEFLAGS -u MFLAGS
CMAKE = $(APART) cmake
CTEST = $(APART) ctest --output-on-failure --no-tests=error -j $(JOBS)

.PHONY: all setup demo test web bench install clean help
.DEFAULT_GOAL := all

# the packages a goal is in want of, by the groups of scripts/setup
setup: GROUPS ?= build
test: GROUPS = build test
bench: GROUPS = build bench
web: GROUPS = web

all: build/$(READY) ## build the program, build/limber, and the libraries
	@$(CMAKE) --build build -j $(JOBS)

demo: all ## solve the Panda for a tool pose; print the answer and draw it
	@cd build && examples/demo
	@echo 'The figure is in build/demo.svg and build/demo.png.'

test: all build-sanitizers/$(READY) ## run every test, then the quick ones under the sanitizers
	@$(CTEST) --test-dir build
	@$(CMAKE) --build build-sanitizers -j $(JOBS)
	@$(CTEST) --test-dir build-sanitizers -LE slow

web: | setup ## build the page for browsers, static files in web/page/dist
	@scripts/web page
	@echo 'The page is in web/page/dist; build/limber view shows it.'

bench: all ## measure, and compare with peers where their packages are present
	@build/limber bench

install: all ## install below PREFIX (/usr/local)
	@$(CMAKE) --install build --prefix $(PREFIX)

clean: ## remove every build folder
	@rm -rf build build-* web/page/dist web/test/out web/limber/*.wasm

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:
	@scripts/setup $(GROUPS)

build/$(READY): | setup
	@$(CMAKE) --preset release

build-sanitizers/$(READY): | setup
	@$(CMAKE) --preset sanitizers
