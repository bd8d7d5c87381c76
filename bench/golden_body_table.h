/* golden_body_table.h - what golden.h says of bodies; written by build/bench/golden. */
GOLDEN_BODY("panda", 0x40483c09fe2f24fd)
GOLDEN_BODY("human", 0x5b935fa7cd9efeaf)
