#include "firmware-host/system/memory_at_rest.hpp"

#include <ctime>
#include <malloc.h>

namespace smsrack::host {

void MemoryAtRest::look() {
    const std::chrono::nanoseconds used = process_.cpu_time();
    const bool rests = used - at_last_look_ <= little;
    if (rests && used - at_last_given_ > little) {
        process_.give_back();
        at_last_given_ = used;
    }
    at_last_look_ = used;
}

MemoryAtRest::Process this_process() {
    return {.cpu_time =
                [] {
                    timespec now = {};
                    (void)::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
                    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
                },
            .give_back = [] { (void)::malloc_trim(0); }};
}

}  // namespace smsrack::host
