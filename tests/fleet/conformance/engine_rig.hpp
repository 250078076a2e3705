/// An engine with some boxes connected to it, whatever the engine is: the real one, or the model.
///
/// Time:    passes only within run_until() and pass(), or is that of the real world.
/// Threads: one; answers may come from another one.
#pragma once

#include "src/base/interface.hpp"
#include "src/ports/cluster_engine.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

namespace smsrack::test {

class EngineRig : public Interface {
public:
    static constexpr std::size_t box_count = 3;

    /// Each has its own connection. The engine is empty at first.
    [[nodiscard]] virtual ports::ClusterEngine& box(std::size_t index) = 0;
    /// False: it takes too long.
    [[nodiscard]] virtual bool run_until(const std::function<bool()>& done) = 0;
    virtual void pass(std::chrono::milliseconds time) = 0;
    /// From now on the transaction of this box's next KeepRules or SendMail draws its numbers, and stays open until the
    /// call with false.
    virtual void hold_commits(std::size_t index, bool hold) = 0;
};

/// An answer that may not be there yet.
template <typename Answer>
class Pending {
public:
    [[nodiscard]] bool is_there() const {
        const std::lock_guard lock(mutex_);
        return answer_.has_value();
    }
    [[nodiscard]] Result<Answer> get() const {
        const std::lock_guard lock(mutex_);
        return answer_.value();
    }
    void set(Result<Answer> answer) {
        const std::lock_guard lock(mutex_);
        answer_ = std::move(answer);
    }

private:
    mutable std::mutex mutex_;  // guards what follows
    std::optional<Result<Answer>> answer_;
};

template <typename Command>
std::shared_ptr<Pending<typename Command::Answer>> post(EngineRig& rig, std::size_t box,
                                                        Command command) {
    auto pending = std::make_shared<Pending<typename Command::Answer>>();
    rig.box(box).post(std::move(command), [pending](Result<typename Command::Answer> answer) {
        pending->set(std::move(answer));
    });
    return pending;
}

/// Of a command that must succeed; throws what it was answered otherwise.
template <typename Answer>
Answer must(Result<Answer> answer) {
    if (!answer) {
        throw std::runtime_error(answer.error().context);
    }
    return *std::move(answer);
}

/// Throws where no answer comes.
template <typename Command>
Result<typename Command::Answer> ask(EngineRig& rig, std::size_t box, Command command) {
    const auto pending = post(rig, box, std::move(command));
    if (!rig.run_until([&] { return pending->is_there(); })) {
        throw std::runtime_error("no answer of the engine");
    }
    return pending->get();
}

}  // namespace smsrack::test
