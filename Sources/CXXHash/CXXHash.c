// The functions themselves, out of the header: so no program needs the library where it runs.
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include "CXXHash.h"
