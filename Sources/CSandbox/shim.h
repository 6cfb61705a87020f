#ifndef FERRY_C_SANDBOX_H
#define FERRY_C_SANDBOX_H

#include <linux/landlock.h>
#include <malloc.h>
#include <pthread.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// System calls that have no function in the C library, and functions that are variadic.

/// The version of Landlock that the kernel has; -1 if it has none.
static inline int ferry_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static inline int ferry_landlock_create(uint64_t file_rights) {
    struct landlock_ruleset_attr rules = {.handled_access_fs = file_rights};
    return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

static inline int ferry_landlock_allow(int rules, int folder, uint64_t file_rights) {
    struct landlock_path_beneath_attr beneath = {.allowed_access = file_rights, .parent_fd = folder};
    return (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
}

static inline int ferry_landlock_restrict(int rules) {
    return (int)syscall(SYS_landlock_restrict_self, rules, 0);
}

static inline int ferry_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// `close_range`: from one number on, all.
static inline int ferry_close_from(unsigned first) {
    return (int)syscall(SYS_close_range, first, ~0U, 0);
}

/// How large the stacks of new threads are. Its header shows the function to `_GNU_SOURCE` only.
extern int pthread_setattr_default_np(const pthread_attr_t *attributes);
static inline int ferry_stacks(size_t size) {
    pthread_attr_t attributes;
    int result = pthread_attr_init(&attributes);
    if (result == 0) { result = pthread_attr_setstacksize(&attributes, size); }
    if (result == 0) { result = pthread_setattr_default_np(&attributes); }
    return result;
}

/// Large pieces of memory go back to the system at once, and all threads share what is kept.
static inline int ferry_thrifty_memory(void) {
    return mallopt(M_ARENA_MAX, 1) && mallopt(M_MMAP_THRESHOLD, 512 << 10) && mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

#endif
