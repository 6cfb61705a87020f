#ifndef FERRY_C_VIPS_H
#define FERRY_C_VIPS_H

#include <vips/vips.h>

// Functions that Swift can't call: libvips takes its options as variadic arguments. Each is one call of the library's
// with the options that we use, and returns as that does: 0 or an object; -1 or NULL, and the words in
// vips_error_buffer.

typedef gint64 (*FerryReadCallback)(void *user, void *bytes, gint64 length);
typedef gint64 (*FerrySeekCallback)(void *user, gint64 offset, int whence);

typedef struct {
    FerryReadCallback read;
    FerrySeekCallback seek;
    void *user;
} FerrySourceCallbacks;

static inline gint64 ferry_vips_on_read(VipsSourceCustom *source, void *bytes, gint64 length, void *callbacks) {
    (void)source;
    FerrySourceCallbacks *call = (FerrySourceCallbacks *)callbacks;
    return call->read(call->user, bytes, length);
}

static inline gint64 ferry_vips_on_seek(VipsSourceCustom *source, gint64 offset, int whence, void *callbacks) {
    (void)source;
    FerrySourceCallbacks *call = (FerrySourceCallbacks *)callbacks;
    return call->seek(call->user, offset, whence);
}

/// A source whose bytes come by calls. The callbacks live at least as long as it.
static inline VipsSource *ferry_vips_source_new(FerrySourceCallbacks *callbacks) {
    VipsSourceCustom *source = vips_source_custom_new();
    g_signal_connect(source, "read", G_CALLBACK(ferry_vips_on_read), callbacks);
    g_signal_connect(source, "seek", G_CALLBACK(ferry_vips_on_seek), callbacks);
    return VIPS_SOURCE(source);
}

/// Opens a picture: its header is read, its pixels when they are wanted.
static inline VipsImage *ferry_vips_open(VipsSource *source, const char *options) {
    return vips_image_new_from_source(source, options, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline VipsImage *ferry_vips_open_buffer(const void *bytes, size_t size) {
    return vips_image_new_from_buffer(bytes, size, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

// No profiles here: asked for one, libvips 8.14 shifts the colours of a picture that has none, and refuses a grey one.
// A picture that has a profile is converted afterwards, by ferry_vips_from_profile.
static inline int ferry_vips_thumbnail_source(
    VipsSource *source, const char *options, VipsImage **out, int width, int height, VipsSize size) {
    return vips_thumbnail_source(
        source, out, width, "height", height, "size", size, "option_string", options, NULL);
}

static inline int ferry_vips_thumbnail_image(
    VipsImage *in, VipsImage **out, int width, int height, VipsSize size) {
    return vips_thumbnail_image(in, out, width, "height", height, "size", size, NULL);
}

static inline int ferry_vips_copy(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, NULL);
}

static inline int ferry_vips_crop(VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
    return vips_extract_area(in, out, left, top, width, height, NULL);
}

static inline int ferry_vips_rotate(VipsImage *in, VipsImage **out, VipsAngle angle) {
    return vips_rot(in, out, angle, NULL);
}

static inline int ferry_vips_flip(VipsImage *in, VipsImage **out, VipsDirection direction) {
    return vips_flip(in, out, direction, NULL);
}

/// Puts a picture of eight bits on white.
static inline int ferry_vips_flatten(VipsImage *in, VipsImage **out) {
    double white = 255;
    VipsArrayDouble *background = vips_array_double_new(&white, 1);
    int result = vips_flatten(in, out, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return result;
}

/// Takes the colours as the picture's own profile has them.
static inline int ferry_vips_from_profile(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_RELATIVE, "depth", 8, NULL);
}

static inline int ferry_vips_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int ferry_vips_to_bytes(VipsImage *in, VipsImage **out) {
    return vips_cast(in, out, VIPS_FORMAT_UCHAR, NULL);
}

static inline int ferry_vips_jpeg(VipsImage *in, void **bytes, size_t *size, int quality) {
    return vips_jpegsave_buffer(in, bytes, size, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

static inline int ferry_vips_png(VipsImage *in, void **bytes, size_t *size) {
    return vips_pngsave_buffer(in, bytes, size, "strip", TRUE, "compression", 6, NULL);
}

static inline int ferry_vips_webp(VipsImage *in, void **bytes, size_t *size, int quality) {
    return vips_webpsave_buffer(in, bytes, size, "Q", quality, "strip", TRUE, NULL);
}

static inline void ferry_g_object_unref(void *object) {
    g_object_unref(object);
}

#endif
