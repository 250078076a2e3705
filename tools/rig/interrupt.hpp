/// Turns Ctrl-C, SIGTERM and a closed terminal into a state that loops check, so that what was
/// started is ended in order.
///
/// Threads: made before all others, since the signals stay blocked in the threads that follow.
#pragma once

#include "src/base/result.hpp"
#include "tools/client/unique_fd.hpp"

#include <chrono>

namespace smsrack::rig {

class Interrupt {
public:
    Interrupt();

    [[nodiscard]] bool came() const { return rest(std::chrono::milliseconds(0)); }
    /// Waits at most this long; true: it was called off.
    [[nodiscard]] bool rest(std::chrono::milliseconds how_long) const;
    /// Readable from then on.
    [[nodiscard]] int fd() const { return fd_.get(); }

private:
    client::UniqueFd fd_;
};

/// What is answered then.
[[nodiscard]] inline std::unexpected<Error> called_off() {
    return fail(Errc::closed, "called off");
}

}  // namespace smsrack::rig
