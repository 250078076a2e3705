/// A log that counts its events by name instead of writing them.
#pragma once

#include "src/base/log.hpp"

#include <map>
#include <mutex>
#include <string>

namespace smsrack::test {

class QuietLog final : public Log {
public:
    [[nodiscard]] bool enabled(LogLevel) const override { return true; }
    void write(LogLevel, std::string_view event, std::initializer_list<LogField>) override {
        const std::lock_guard lock(mutex_);
        ++counts_[std::string(event)];
    }
    [[nodiscard]] int count(const std::string& event) const {
        const std::lock_guard lock(mutex_);
        const auto found = counts_.find(event);
        return found == counts_.end() ? 0 : found->second;
    }

private:
    mutable std::mutex mutex_;  // guards counts_
    std::map<std::string, int> counts_;
};

}  // namespace smsrack::test
