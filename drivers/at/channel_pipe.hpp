/// The octets of a channel. What the pipe does not take at once is kept, and written later.
///
/// Bound:   a step reads at most reads_max buffers, so that a babbling port can't hold the line's thread.
/// Threads: the line's thread.
/// Errors:  state(): closed, since the pipe is gone; then nothing is read or written any more.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "src/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::at {

class ChannelPipe {
public:
    static constexpr int reads_max = 16;
    /// AT commands and PDUs are shorter; room for both so that nothing is allocated later.
    static constexpr std::size_t write_reserve = 512;

    ChannelPipe() { unwritten_.reserve(write_reserve); }

    /// `pipe` outlives its use here; null: none. What was not written is dropped.
    void attach(serial::BytePipe* pipe) {
        pipe_ = pipe;
        baud_ = pipe != nullptr ? pipe->baud() : 0;
        state_ = {};
        unwritten_.clear();
    }
    [[nodiscard]] bool is_attached() const { return pipe_ != nullptr; }
    [[nodiscard]] const Result<>& state() const { return state_; }

    /// The rate of the port; 0: not known.
    [[nodiscard]] std::uint32_t baud() const { return baud_; }
    [[nodiscard]] Result<> set_baud(std::uint32_t baud) {
        Result<> set =
            pipe_ != nullptr ? pipe_->set_baud(baud) : fail(Errc::closed, "port: not open");
        baud_ = set ? baud : baud_;
        return set;
    }

    /// What the pipe did not take yet; and such octets of an earlier owner.
    [[nodiscard]] const std::string& unwritten() const { return unwritten_; }
    void resume(const std::string& unwritten) { unwritten_ = unwritten; }

    void write(std::initializer_list<std::string_view> texts) {
        for (const std::string_view text : texts) {
            unwritten_.append(text);
        }
        if (!unwritten_.empty()) {
            write_rest();
        }
    }

    /// Calls `take` with the octets of each buffer that came.
    template <typename Take>
    void read(Take&& take) {
        for (int reads = 0; pipe_ != nullptr && state_ && reads < reads_max; ++reads) {
            auto got = pipe_->read(buffer_);
            if (!got) {
                state_ = std::unexpected(std::move(got.error()));
                return;
            }
            if (*got > 0) {
                take(std::span<const char>(buffer_).first(*got));
            }
            if (*got < buffer_.size()) {
                return;
            }
        }
    }

private:
    void write_rest() {
        if (pipe_ == nullptr || !state_) {
            unwritten_.clear();
            return;
        }
        auto written = pipe_->write(unwritten_);
        if (!written) {
            state_ = std::unexpected(std::move(written.error()));
            unwritten_.clear();
            return;
        }
        unwritten_.erase(0, *written);
    }

    serial::BytePipe* pipe_ = nullptr;
    std::uint32_t baud_ = 0;  // of the port
    Result<> state_ = {};
    std::string unwritten_;
    std::array<char, 1024> buffer_ = {};
};

}  // namespace smsrack::at
