/* golden_body_table.h - what golden.h says of bodies; written by build/bench/golden. */
GOLDEN_BODY("panda", 0xa8a22685df4646cd)
GOLDEN_BODY("human", 0x1e210ecba42a3c9f)
GOLDEN_BODY("biped", 0xba0dfa85df5de0e1)
