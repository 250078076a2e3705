/// A port that keeps each command with its completion, so that a test decides what is answered, and
/// when.
#pragma once

#include "src/ports/command.hpp"

#include <deque>
#include <tuple>
#include <utility>
#include <variant>

namespace smsrack::test {

template <typename Port>
class HeldCommands : public Port {
public:
    using typename Port::Call;

    /// The commands of this kind that wait for their answer, oldest first.
    template <typename Command>
    std::deque<ports::Posted<Command>>& posted() {
        return std::get<std::deque<ports::Posted<Command>>>(posted_);
    }

    /// Takes the oldest command of this kind and answers it.
    template <typename Command>
    Command answer(Result<typename Command::Answer> with) {
        ports::Posted<Command> oldest = std::move(posted<Command>().front());
        posted<Command>().pop_front();
        oldest.answer(std::move(with));
        return std::move(oldest.command);
    }

protected:
    void keep(Call&& call) {
        std::visit(
            [this]<typename Command>(ports::Posted<Command>& one) {
                posted<Command>().push_back(std::move(one));
            },
            call);
    }

private:
    template <typename... Posted>
    static std::tuple<std::deque<Posted>...> queues_of(const std::variant<Posted...>& call);

    void take(Call&& call) override { keep(std::move(call)); }

    decltype(queues_of(std::declval<Call>())) posted_;
};

}  // namespace smsrack::test
