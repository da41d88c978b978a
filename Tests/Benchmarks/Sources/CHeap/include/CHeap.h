#ifndef CHEAP_H
#define CHEAP_H

#include <stddef.h>

/// Returns the bytes of the heap in use, including the allocator's overhead, or 0 if the platform does not
/// report them.
size_t heap_bytes_in_use(void);

/// Returns free memory to the system, so that resident sizes can be compared.
void heap_trim(void);

#endif
