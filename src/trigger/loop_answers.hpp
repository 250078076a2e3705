/// Delivers the answers of other threads as calls on the loop thread, as long as their receiver
/// exists.
///
/// Threads: made, called and ended on the loop thread; what back() gives may be called by any.
#pragma once

#include "src/base/executor.hpp"
#include "src/base/result.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace smsrack::trigger {

class LoopAnswers {
public:
    explicit LoopAnswers(Executor& loop) : loop_(loop) {}

    template <typename T>
    [[nodiscard]] std::move_only_function<void(Result<T>)> back(
        std::move_only_function<void(Result<T>)> call) const {
        return [&loop = loop_, there = std::weak_ptr(there_),
                call = std::move(call)](Result<T> answer) mutable {
            loop.post([there, call = std::move(call), answer = std::move(answer)]() mutable {
                if (!there.expired()) {
                    call(std::move(answer));
                }
            });
        };
    }

private:
    Executor& loop_;
    std::shared_ptr<char> there_ = std::make_shared<char>();
};

}  // namespace smsrack::trigger
