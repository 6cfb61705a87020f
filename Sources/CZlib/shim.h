#include <zlib.h>

/// `inflateInit2` is a macro.
static inline int ferry_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

/// So is `deflateInit`.
static inline int ferry_deflate_init(z_stream *stream, int level) {
    return deflateInit(stream, level);
}
