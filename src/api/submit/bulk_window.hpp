/// Shares the room for lines in flight among the NDJSON bodies that have some, whatever their number.
///
/// While half of it is free, a body takes what it wants; else n bodies have a part each. So they fill
/// neither the store's queue, where lines would be refused, nor the budget of their account, where its
/// other calls would wait. A body resumes with its own answers: each may always have lines_least.
/// Bound:   2 * lines_max lines together while shares become smaller, plus lines_least of each body; octets: likewise, plus one line
///          of each body.
/// Threads: loop thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace smsrack::api {

class BulkWindow {
public:
    /// Two transactions of the store: one is committed while the lines of the next one are read.
    static constexpr std::size_t lines_max = 2'048;
    /// Of lines: 2,048 ordinary ones.
    static constexpr std::size_t bytes_max = 512UL * 1024;
    static constexpr std::size_t lines_least = 8;

    /// What one body has of it; gives it back when it goes.
    class Place {
    public:
        explicit Place(std::shared_ptr<BulkWindow> window) : window_(std::move(window)) {}
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() { give_back(lines_, bytes_); }

        [[nodiscard]] bool has_room() const;
        void take(std::size_t bytes);
        void give_back(std::size_t lines, std::size_t bytes);
        [[nodiscard]] std::size_t bytes() const { return bytes_; }

    private:
        const std::shared_ptr<BulkWindow> window_;
        std::size_t lines_ = 0;
        std::size_t bytes_ = 0;
    };

private:
    std::size_t bodies_ = 0;  // with lines in flight
    std::size_t lines_ = 0;   // of all
    std::size_t bytes_ = 0;   // of all
};

inline bool BulkWindow::Place::has_room() const {
    if (lines_ == 0) {
        return true;
    }
    const std::size_t bodies = std::max<std::size_t>(window_->bodies_, 1);
    const bool is_half_free =
        bodies > 1 && window_->lines_ < lines_max / 2 && window_->bytes_ < bytes_max / 2;
    if (is_half_free) {
        return true;
    }
    if (bytes_ >= bytes_max / bodies) {
        return false;
    }
    return lines_ < lines_least || (lines_ < lines_max / bodies && window_->lines_ < 2 * lines_max);
}

inline void BulkWindow::Place::take(std::size_t bytes) {
    window_->bodies_ += lines_ == 0 ? 1 : 0;
    ++window_->lines_;
    window_->bytes_ += bytes;
    ++lines_;
    bytes_ += bytes;
}

inline void BulkWindow::Place::give_back(std::size_t lines, std::size_t bytes) {
    window_->bodies_ -= lines > 0 && lines == lines_ ? 1 : 0;
    window_->lines_ -= lines;
    window_->bytes_ -= bytes;
    lines_ -= lines;
    bytes_ -= bytes;
}

}  // namespace smsrack::api
