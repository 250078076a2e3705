/// The modem's output: responses at once; URCs never inside a response or while the host types.
///
/// Unit:    at most 64 URCs are held back (a real modem's buffer is smaller still); the oldest
///          gives way.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::modem_sim {

class Output {
public:
    /// Raw octets: echo, prompt, garbage.
    void write(std::string_view octets) {
        if (!muted_) {
            octets_ += octets;
        }
    }
    /// CR LF, the line, CR LF. A line may hold a line end of its own (+CMT).
    void line(std::string_view text) {
        write("\r\n");
        write(text);
        write("\r\n");
    }
    void urc(std::string_view text) {
        if (lost_urcs_ > 0) {
            --lost_urcs_;
            return;
        }
        if (!holding_) {
            line(text);
            return;
        }
        if (held_.size() == held_max) {
            held_.pop_front();
        }
        held_.emplace_back(text);
    }
    /// While true URCs wait.
    void hold(bool holding) {
        holding_ = holding;
        while (!holding_ && !held_.empty()) {
            line(held_.front());
            held_.pop_front();
        }
    }
    /// While true everything said is lost: a modem that hangs.
    void mute(bool muted) { muted_ = muted; }

    /// The next `count` URCs are never said.
    void lose_urcs(int count) { lost_urcs_ += count; }

    /// As after a restart: what was held is gone, nothing is held or muted.
    void reset() {
        held_.clear();
        holding_ = false;
        muted_ = false;
    }

    [[nodiscard]] bool muted() const { return muted_; }
    [[nodiscard]] std::size_t held() const { return held_.size(); }
    [[nodiscard]] std::string take() { return std::exchange(octets_, {}); }

    static constexpr std::size_t held_max = 64;

private:
    std::string octets_;
    std::deque<std::string> held_;
    bool holding_ = false;
    bool muted_ = false;
    int lost_urcs_ = 0;
};

}  // namespace smsrack::modem_sim
