/// How many places of the SIM are used, reported as SimStorage.
///
/// Counted between two answers of the modem that say it: each sweep sets it right.
/// Threads: the line's thread.
#pragma once

#include "drivers/gsm/reporter.hpp"

#include <algorithm>

namespace smsrack::gsm {

class StorageCount {
public:
    /// `reporter` outlives this object.
    explicit StorageCount(Reporter& reporter) : reporter_(reporter) {}

    [[nodiscard]] int used() const { return used_; }
    [[nodiscard]] int total() const { return total_; }  ///< 0: not told

    void set(int used, int total) {
        used = std::clamp(used, 0, std::max(total, 0));
        const bool is_news = total > 0 && (used != used_ || total != total_);
        adopt(used, total);
        if (is_news) {
            reporter_.tell(ports::SimStorage{used, total});
        }
    }
    /// As it was reported already.
    void adopt(int used, int total) {
        used_ = used;
        total_ = total;
    }

private:
    Reporter& reporter_;
    int used_ = 0;
    int total_ = 0;
};

}  // namespace smsrack::gsm
