/* golden_body_table.h - what golden.h says of bodies; written by build/bench/golden. */
GOLDEN_BODY("panda", 0xa5411e8b9f80b95c)
GOLDEN_BODY("human", 0x9443136855e61aa1)
