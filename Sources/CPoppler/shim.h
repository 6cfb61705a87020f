#ifndef FERRY_C_POPPLER_H
#define FERRY_C_POPPLER_H

#include <poppler.h>

// Macros that Swift doesn't import.

static inline int ferry_poppler_error_encrypted(void) { return POPPLER_ERROR_ENCRYPTED; }
static inline void ferry_poppler_unref(void *object) { g_object_unref(object); }

#endif
