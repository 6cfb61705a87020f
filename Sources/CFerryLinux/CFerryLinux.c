#define _GNU_SOURCE
#include "CFerryLinux.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// <linux/fs.h> can't be included beside <sys/mount.h> everywhere: the one number that we need from it.
#ifndef FICLONE
#define FICLONE _IOW(0x94, 9, int)
#endif

const int ferry_O_PATH = O_PATH;
const int ferry_O_TMPFILE = O_TMPFILE;
const int ferry_AT_EMPTY_PATH = AT_EMPTY_PATH;
const int ferry_SEEK_DATA = SEEK_DATA;
const int ferry_SEEK_HOLE = SEEK_HOLE;
const uint64_t ferry_RESOLVE_BENEATH = RESOLVE_BENEATH;
const uint64_t ferry_RESOLVE_NO_MAGICLINKS = RESOLVE_NO_MAGICLINKS;
const uint64_t ferry_RESOLVE_NO_SYMLINKS = RESOLVE_NO_SYMLINKS;
const uint32_t ferry_IN_EXCL_UNLINK = IN_EXCL_UNLINK;

int ferry_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

int ferry_statx(int folder, const char *path, int flags, unsigned mask, struct statx *result) {
    return statx(folder, path, flags, mask, result);
}

long ferry_getdents64(int folder, void *buffer, size_t size) {
    return syscall(SYS_getdents64, folder, buffer, size);
}

long ferry_copy_file_range(int source, int64_t *source_offset, int target, int64_t *target_offset, size_t length) {
    return syscall(SYS_copy_file_range, source, source_offset, target, target_offset, length, 0);
}

int ferry_rename_noreplace(int source_folder, const char *source, int target_folder, const char *target) {
    return (int)syscall(SYS_renameat2, source_folder, source, target_folder, target, 1 /* RENAME_NOREPLACE */);
}

int ferry_clone(int target, int source) {
    return ioctl(target, FICLONE, source);
}

int ferry_syncfs(int folder) {
    return syncfs(folder);
}

int ferry_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int ferry_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

int ferry_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

int ferry_spawn_closefrom(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int ferry_spawn_chdir(void *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int ferry_keep_free_memory(int trimmed, int mapped) {
#ifdef __GLIBC__
    return mallopt(M_TRIM_THRESHOLD, trimmed) && mallopt(M_MMAP_THRESHOLD, mapped);
#else
    return 0;
#endif
}

long ferry_flistxattr(int file, char *names, size_t size) {
    return flistxattr(file, names, size);
}

long ferry_fgetxattr(int file, const char *name, void *value, size_t size) {
    return fgetxattr(file, name, value, size);
}

int ferry_fsetxattr(int file, const char *name, const void *value, size_t size) {
    return fsetxattr(file, name, value, size, 0);
}

#endif
