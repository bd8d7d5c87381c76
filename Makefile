# limber - a thin front for CMake. `make help` says what there is.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS)

# what a configured build folder has; a failed configuration leaves none
READY = cmake_install.cmake

# cmake has its own -j, which a jobserver inherited from this make would only confuse
unexport MAKEFLAGS
export GNUMAKEFLAGS = --no-print-directory

.PHONY: all setup demo test bench install clean help
.DEFAULT_GOAL := all

# the packages a goal is in want of, by the groups of scripts/setup
setup: GROUPS ?= build
test: GROUPS = build test
bench: GROUPS = build bench

all: build/$(READY) ## build the program, build/limber, and the libraries
	@cmake --build build -j $(JOBS)

demo: all ## solve the Panda for a tool pose; print the answer and draw it
	@cd build && examples/demo

test: all build-sanitizers/$(READY) ## run every test, then the quick ones under the sanitizers
	@$(CTEST) --test-dir build
	@cmake --build build-sanitizers -j $(JOBS)
	@$(CTEST) --test-dir build-sanitizers -LE slow

bench: all ## measure, and compare with peers where their packages are present
	@build/limber bench

install: all ## install below PREFIX (/usr/local)
	@cmake --install build --prefix $(PREFIX)

clean: ## remove every build folder
	@rm -rf build build-*

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:
	@scripts/setup $(GROUPS)

build/$(READY): | setup
	@cmake --preset release

build-sanitizers/$(READY): | setup
	@cmake --preset sanitizers
