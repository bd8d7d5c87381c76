/* suggest.h - lives in math/ now, where the model can use it too. */
#include "math/suggest.h"
