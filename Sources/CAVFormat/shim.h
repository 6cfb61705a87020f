#ifndef FERRY_C_AVFORMAT_H
#define FERRY_C_AVFORMAT_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mathematics.h>
#include <libswscale/swscale.h>

// Macros that Swift doesn't import.

static inline int ferry_averror_eof(void) { return AVERROR_EOF; }
static inline int ferry_averror_exit(void) { return AVERROR_EXIT; }
static inline int ferry_averror_again(void) { return AVERROR(EAGAIN); }
static inline int64_t ferry_av_nopts(void) { return AV_NOPTS_VALUE; }

#endif
