#ifndef C_FERRY_LINUX_H
#define C_FERRY_LINUX_H
#endif
