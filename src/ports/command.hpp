/// Store writes as values: a command is a struct that is posted with the completion of its caller.
///
/// A command names the type of its answer (`using Answer`). It names its `lane` and its `refused`
/// policy only where they differ from Lane::line and Refused::tell.
/// Threads: post() from any thread. Commands are queued for the one writing thread and committed in
///          groups. The completion runs on that thread after the commit, or after it failed; it
///          only hands over. Commands of one lane and one sender keep their order.
/// Errors:  storage if the disk is full or failing, damaged_database if the rows contradict each
///          other: then nothing of that command was kept. One that insists gets such an error only
///          where it would fail again, or the store ends.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <utility>
#include <variant>

namespace smsrack::ports {

template <typename T>
using Done = std::move_only_function<void(Result<T>)>;

/// Queues of the writing thread; each keeps its own order.
enum class Lane : std::uint8_t {
    line,    ///< what modems did and said, in the order of each modem; first in every batch
    intake,  ///< what clients hand in; bounded, beyond that queue_full
    upkeep,  ///< what has time: one of a batch, when no line waits
};

/// What happens to a command that the disk refuses.
enum class Refused : std::uint8_t {
    tell,  ///< its completion gets the error: an order, or what a sweep finds again
    /// It waits in the store, ahead of all that is posted later, which is refused until then. Its
    /// sender bounds how many may wait: no attempt begins and nothing due is taken meanwhile.
    insist,
};

template <typename Command>
inline constexpr Lane lane_of = [] {
    if constexpr (requires { Command::lane; }) {
        return Command::lane;
    } else {
        return Lane::line;
    }
}();

template <typename Command>
inline constexpr Refused refused_of = [] {
    if constexpr (requires { Command::refused; }) {
        return Command::refused;
    } else {
        return Refused::tell;
    }
}();

/// A command on its way to the store.
template <typename Command>
struct Posted {
    Command command;
    Done<typename Command::Answer> done = {};  ///< empty: the caller wants no answer

    void answer(Result<typename Command::Answer> answer) {
        if (done) {
            done(std::move(answer));
        }
    }
};

/// Accepts the commands of one family.
template <typename... Commands>
class CommandPort : public Interface {
public:
    using Call = std::variant<Posted<Commands>...>;

    template <typename Command>
    requires(std::same_as<Command, Commands> ||
             ...) void post(Command command, Done<typename Command::Answer> done = {}) {
        take(Posted<Command>{std::move(command), std::move(done)});
    }

private:
    /// `call` is as large as the largest command and is on the caller's stack: whatever queues
    /// it moves the one command out.
    virtual void take(Call&& call) = 0;
};

}  // namespace smsrack::ports
