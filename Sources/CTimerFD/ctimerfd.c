#include "ctimerfd.h"

#ifdef __linux__
#include <sys/timerfd.h>
#include <time.h>

int ctimerfd_open(bool is_time_of_day) {
  return timerfd_create(
      is_time_of_day ? CLOCK_REALTIME : CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

void ctimerfd_ring(int descriptor, bool is_time_of_day, int64_t at) {
  struct itimerspec setting = {
      .it_value = {.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000}};
  int flags = TFD_TIMER_ABSTIME | (is_time_of_day ? TFD_TIMER_CANCEL_ON_SET : 0);
  // It fails with ECANCELED where the clock has been set meanwhile, and has armed it even so.
  timerfd_settime(descriptor, flags, &setting, 0);
}
#endif
