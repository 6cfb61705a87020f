#ifndef C_FERRY_LINUX_H
#define C_FERRY_LINUX_H

#ifdef __linux__

#include <linux/stat.h>
#include <stddef.h>
#include <stdint.h>

// Functions that Swift can't import: variadic ones, and those that the C library declares for `_GNU_SOURCE` only. Each
// is the system call of its name, and returns as that does: -1 with `errno` set when it failed.
//
// No header of the C library is included here: its types would then belong to this module instead of Glibc.

extern const int ferry_O_PATH;
extern const int ferry_O_TMPFILE;
extern const int ferry_AT_EMPTY_PATH;
extern const int ferry_SEEK_DATA;
extern const int ferry_SEEK_HOLE;
extern const uint64_t ferry_RESOLVE_BENEATH;
extern const uint64_t ferry_RESOLVE_NO_MAGICLINKS;
extern const uint64_t ferry_RESOLVE_NO_SYMLINKS;
extern const uint32_t ferry_IN_EXCL_UNLINK;

int ferry_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve);
int ferry_statx(int folder, const char *path, int flags, unsigned mask, struct statx *result);
long ferry_getdents64(int folder, void *buffer, size_t size);
long ferry_copy_file_range(int source, int64_t *source_offset, int target, int64_t *target_offset, size_t length);

/// `renameat2` with `RENAME_NOREPLACE`.
int ferry_rename_noreplace(int source_folder, const char *source, int target_folder, const char *target);

/// `ioctl` with `FICLONE`: the target shares the source's blocks.
int ferry_clone(int target, int source);

/// `syncfs`: waits until a file system's storage holds all that was written to it.
int ferry_syncfs(int folder);

/// `eventfd` that is closed in other programs and never blocks.
int ferry_eventfd(void);

/// `pipe2` with `O_CLOEXEC`: its ends are closed in other programs.
int ferry_pipe(int ends[2]);

/// `pthread_setname_np` of the calling thread; more than 15 characters are `ERANGE`.
int ferry_name_thread(const char *name);

/// `posix_spawn_file_actions_addclosefrom_np`; the actions are a `posix_spawn_file_actions_t`.
int ferry_spawn_closefrom(void *actions, int first);

/// `posix_spawn_file_actions_addchdir_np`; the actions are a `posix_spawn_file_actions_t`.
int ferry_spawn_chdir(void *actions, const char *folder);

/// `mallopt` with `M_TRIM_THRESHOLD` and `M_MMAP_THRESHOLD`, in bytes; 0 where the allocator is not glibc's.
int ferry_keep_free_memory(int trimmed, int mapped);

long ferry_flistxattr(int file, char *names, size_t size);
long ferry_fgetxattr(int file, const char *name, void *value, size_t size);
int ferry_fsetxattr(int file, const char *name, const void *value, size_t size);

#endif
#endif
