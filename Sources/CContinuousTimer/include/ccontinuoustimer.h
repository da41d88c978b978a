#ifndef CCONTINUOUSTIMER_H
#define CCONTINUOUSTIMER_H

#ifdef __APPLE__
#include <dispatch/dispatch.h>
#include <stdint.h>

/// Schedules a source to fire after a number of nanoseconds on the dispatch clock that counts through sleep
/// (DISPATCH_MONOTONICTIME_NOW), which Swift's DispatchTime cannot express on Darwin, and then at an interval;
/// 0 to fire once.
static inline void ccontinuous_schedule(
    dispatch_source_t source, int64_t nanoseconds, int64_t interval) {
  dispatch_source_set_timer(
      source, dispatch_time(1ull << 63, nanoseconds),
      interval == 0 ? DISPATCH_TIME_FOREVER : (uint64_t)interval, 0);
}
#endif

#endif
