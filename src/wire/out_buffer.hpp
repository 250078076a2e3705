/// The output of a session: octets of answers, in order, until the client takes them.
///
/// Bound:   the session's: it reads no more while much is unsent.
/// Threads: loop thread.
#pragma once

#include "src/wire/clear_and_shrink.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace smsrack::wire {

class OutBuffer {
public:
    void append(std::string_view octets) { octets_ += octets; }

    [[nodiscard]] std::size_t size() const { return octets_.size() - sent_; }
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Valid until the buffer changes.
    [[nodiscard]] std::string_view unsent() const {
        return std::string_view(octets_).substr(sent_);
    }

    /// The client took the first `count` octets of unsent().
    void written(std::size_t count) {
        sent_ += count;
        if (sent_ == octets_.size()) {
            clear_and_shrink(octets_);
            sent_ = 0;
        } else if (sent_ > octets_.size() / 2) {
            octets_.erase(0, sent_);  // moves fewer octets than were sent
            sent_ = 0;
        }
    }

private:
    std::string octets_;
    std::size_t sent_ = 0;  // at the front of octets_
};

}  // namespace smsrack::wire
