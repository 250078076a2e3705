/// One command on its way to disk: applied inside a transaction, answered when that is over.
///
/// Threads: made by any, run on the writing thread alone.
#pragma once

#include "db/engine/writer.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/ports/send_commands.hpp"
#include "src/ports/store.hpp"

#include <type_traits>
#include <utility>

namespace smsrack::db {

class WriteJob : public Interface {
public:
    /// Inside the transaction of a batch. May throw StorageFailure: then the whole batch is taken
    /// back.
    virtual void run() = 0;

    /// After the commit (nullptr), or after nothing of the batch was kept.
    virtual void complete(const Error* failure) = 0;

    /// What the disk refused comes again before anything that was posted later, until it is kept.
    [[nodiscard]] virtual bool insists() const = 0;

    /// May wait a little for a commit that it shares: no caller waits for its answer.
    [[nodiscard]] virtual bool may_wait() const { return false; }

    /// Before the transaction, in which it will be the first: tells the listener what it will do, if nothing refuses
    /// it. True: what follows from that will probably be posted at once. May throw StorageFailure, and changes no row.
    [[nodiscard]] virtual bool announce(ports::StoreListener& /*listener*/) { return false; }
};

/// Whether the command may wait for a commit that it shares.
template <typename Command>
[[nodiscard]] bool may_share(const Command& /*command*/) {
    return false;
}
/// A success may: no line waits for it, nothing is due after it, and what a kill leaves is in the
/// file `answers`.
[[nodiscard]] inline bool may_share(const ports::EndAttempt& end) {
    return end.event == MessageEvent::accepted;
}

/// Runs `apply(Writer&, Command&)`, the overload that says what the command does. It gives an
/// Answer, or a Result of it: an error there is an answer and has changed no row.
template <typename Command>
class WriteCall : public WriteJob {
public:
    /// `writer` outlives the object.
    WriteCall(Writer& writer, ports::Posted<Command>&& posted)
        : writer_(writer), posted_(std::move(posted)) {}

    void run() override {
        if constexpr (std::is_void_v<decltype(apply(writer_, posted_.command))>) {
            apply(writer_, posted_.command);
            result_ = Result<>();
        } else {
            result_ = apply(writer_, posted_.command);
        }
    }

    void complete(const Error* failure) override {
        posted_.answer(failure == nullptr ? std::move(result_)
                                          : Result<Answer>(std::unexpected(*failure)));
    }

    [[nodiscard]] bool insists() const override {
        return ports::refused_of<Command> == ports::Refused::insist;
    }

    [[nodiscard]] bool may_wait() const override { return may_share(posted_.command); }

protected:
    [[nodiscard]] Writer& writer() { return writer_; }
    [[nodiscard]] Command& command() { return posted_.command; }
    void answer_with(Result<typename Command::Answer> result) { result_ = std::move(result); }

private:
    using Answer = typename Command::Answer;

    Writer& writer_;
    ports::Posted<Command> posted_;
    Result<Answer> result_ = std::unexpected(Error{});  // until it was applied
};

}  // namespace smsrack::db
