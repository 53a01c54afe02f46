/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to the family, valid and not, made from its specification and from two numbers: the same
 * numbers make the same request.
 */
#ifndef SMIMON_SELFTESTS_FUZZ_H
#define SMIMON_SELFTESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct fuzz_state - where a series of numbers is
 * @x: as of nrand48()
 */
struct fuzz_state {
	unsigned short x[3];
};

/* More than any request has. */
#define FUZZ_SIZE	16384

/**
 * enum fuzz_kind - what is wrong with a request
 * @FUZZ_VALID: nothing
 * @FUZZ_MISSING: it lacks an attribute that it needs
 * @FUZZ_UNASKED: it has an attribute that it must not have
 * @FUZZ_LENGTH: an attribute of a fixed size has another
 * @FUZZ_RANGE: a number is out of range
 * @FUZZ_LIST: a list of CPUs is none
 * @FUZZ_COMMAND: there is no such command, or not of this kind (do, dump)
 * @FUZZ_MANGLED: some of its bytes are wrong, which may or may not matter
 * @FUZZ_NOISE: what follows the headers is noise
 */
enum fuzz_kind {
	FUZZ_VALID,
	FUZZ_MISSING,
	FUZZ_UNASKED,
	FUZZ_LENGTH,
	FUZZ_RANGE,
	FUZZ_LIST,
	FUZZ_COMMAND,
	FUZZ_MANGLED,
	FUZZ_NOISE,
	FUZZ_KINDS,
};

/**
 * struct fuzz_request - a request
 * @kind: what is wrong with it
 * @cmd: SMIMON_CMD_x that it is, or is made from
 * @dump: it asks for a dump
 * @len: bytes in @buf
 * @buf: a message with its headers, in which nlmsg_seq is as it was asked for
 */
struct fuzz_request {
	enum fuzz_kind kind;
	uint8_t cmd;
	bool dump;
	size_t len;
	unsigned char buf[FUZZ_SIZE];
};

/**
 * fuzz_make() - make a request
 * @seed: of a series of them, 0 to 65535
 * @index: which of the series
 * @family: the family's number
 * @seq: for its header
 */
void fuzz_make(struct fuzz_request *request, uint16_t seed, uint32_t index, uint16_t family,
	       uint32_t seq);

/**
 * fuzz_number() - a number below a limit that is as good as random
 * @state: where the series of numbers is
 */
uint32_t fuzz_number(struct fuzz_state *state, uint32_t limit);

#endif /* SMIMON_SELFTESTS_FUZZ_H */
