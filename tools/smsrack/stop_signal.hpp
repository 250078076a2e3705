/// Makes Ctrl-C (SIGINT) and SIGTERM something to wait for, so that a long command ends by itself
/// and says how far it came.
///
/// Threads: made and ended by the main thread, before any other thread is.
#pragma once

#include "tools/client/unique_fd.hpp"

#include <chrono>
#include <csignal>

namespace smsrack::cli {

class StopSignal {
public:
    StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;
    /// The signals end the program again.
    ~StopSignal();

    /// Readable once a signal has come. Stays this object's.
    [[nodiscard]] int fd() const { return fd_.get(); }

    /// Waits until then; true where a signal came first.
    [[nodiscard]] bool wait_for(std::chrono::milliseconds time) const;

    /// Waits until `readable` can be read, or has ended; false where a signal came first.
    [[nodiscard]] bool wait_readable(int readable) const;

private:
    sigset_t before_{};
    client::UniqueFd fd_;
};

}  // namespace smsrack::cli
