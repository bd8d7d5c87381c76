/* golden_body_table.h - what golden.h says of bodies; written by build/bench/golden. */
GOLDEN_BODY("panda", 0xb2b7ef2286ef8cc4)
GOLDEN_BODY("human", 0xd263826607ee21d8)
