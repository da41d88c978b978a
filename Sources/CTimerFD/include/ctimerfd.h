// Linux's timerfd, which Swift's Glibc module leaves out. Plain types only: a system header in here
// would become this module's, timespec and all.
#ifndef CTIMERFD_H
#define CTIMERFD_H

#include <stdbool.h>
#include <stdint.h>

// Readable when its time has come, by the clock that counts through sleep, or else the time of day.
// Answers a descriptor, or -1.
int ctimerfd_open(bool is_time_of_day);

// Rings once at that time, in nanoseconds on its clock; 0 is never. Where the time of day is set
// before that, it becomes readable as well, and stays armed.
void ctimerfd_ring(int descriptor, bool is_time_of_day, int64_t at);

#endif
