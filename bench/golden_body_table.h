/* golden_body_table.h - what golden.h says of bodies; written by build/bench/golden. */
GOLDEN_BODY("panda", 0x40483c09fe2f24fd)
GOLDEN_BODY("human", 0xadb56e23cfa3d72f)
