/// Reports how much memory is in use if a sanitizer replaces the heap; the C library's own heap is then nearly empty.
///
/// Without it the rule "bounded" would see only what the model of the disk holds. ASan does the same for mallinfo(),
/// and reports 0. Built only with a sanitizer (tests/CMakeLists.txt).
#include <cstddef>
#include <malloc.h>

extern "C" {

/// Of sanitizer/allocator_interface.h, which g++ does not install.
std::size_t __sanitizer_get_current_allocated_bytes();

struct mallinfo2 mallinfo2() noexcept {
    struct mallinfo2 now = {};
    now.uordblks = __sanitizer_get_current_allocated_bytes();
    return now;
}
}
