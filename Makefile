# SPDX-License-Identifier: GPL-2.0-only

KDIR ?= /lib/modules/$(shell uname -r)/build
LAB := selftests/vm/lab

all: module user

help:
	@echo 'On the machine to be watched:'
	@echo '  all (default)    module and user'
	@echo '  module           module/smimon.ko for the running kernel; KDIR=DIR for another'
	@echo '  user             the smimon command and libsmimon'
	@echo '  install          install both; DESTDIR= and prefix= as usual'
	@echo '  clean            remove what was built'
	@echo 'In the emulated machine, set up when missing (as root; some minutes, once):'
	@echo '  demo             real SMIs, and what smimon says they cost'
	@echo '  check            all tests; TESTS=, KERNELS= and REPEAT= narrow and repeat them'
	@echo '  check-debug      the tests on a kernel that sees wrong use of memory and locks; builds it'
	@echo '                   when missing; TESTS= and REPEAT= as above'
	@echo '  setup            only set up'

module:
	$(MAKE) -C $(KDIR) M=$(CURDIR)/module modules

user:
	$(MAKE) -C user

install: module user
	$(MAKE) -C $(KDIR) M=$(CURDIR)/module INSTALL_MOD_PATH=$(DESTDIR) modules_install
	$(MAKE) -C user install

setup:
	$(LAB) setup

demo: setup
	$(LAB) run selftests/demo

check: setup
	$(LAB) run selftests/run $(foreach v,TESTS KERNELS REPEAT,$(if $($v),$v='$($v)'))

check-debug: setup
	$(LAB) run selftests/vm/debug-kernel setup
	$(LAB) run selftests/run KERNELS=debug TESTS='$(or $(TESTS),*_test)' \
		$(if $(REPEAT),REPEAT='$(REPEAT)')

clean:
	$(MAKE) -C user clean
	rm -rf build
	find module -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \
		-o -name modules.order -o -name Module.symvers | xargs rm -f

.PHONY: all help module user install setup demo check check-debug clean
