#ifndef CHEAP_H
#define CHEAP_H

#include <stddef.h>

/// Bytes of the heap that are handed out, with what the allocator adds to each; 0 where the
/// platform does not tell.
size_t heap_bytes_in_use(void);

/// Gives memory that is free back to the system, so that the resident size can be compared.
void heap_trim(void);

#endif
