#include <libxml/xmlversion.h>
// With it, the library's headers drag in the system's ICU, which clashes with Foundation's own. No struct that we look
// into depends on it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/dict.h>
#include <libxml/xmlerror.h>
