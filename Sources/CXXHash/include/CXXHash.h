// XXH3 as its author's header declares it.
#include <xxhash.h>
