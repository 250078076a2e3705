/// Reads as questions: each runs with a reader on one consistent snapshot.
///
/// Threads: ask() from any thread. The question and its completion run on a pool thread.
#pragma once

#include "src/base/interface.hpp"
#include "src/ports/command.hpp"

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace smsrack::ports {

/// Answers questions with a Reader.
template <typename Reader>
class QuestionPort : public Interface {
public:
    using Job = std::move_only_function<void(Result<Reader*>)>;

    /// Gives `done` what `question` answers: Result<Answer> of a Reader&. It sees everything
    /// committed before this call.
    /// Errors: those of the question; storage if no read connection can be had.
    template <std::invocable<Reader&> Question>
    void ask(Question question,
             Done<typename std::invoke_result_t<Question&, Reader&>::value_type> done) {
        read([question = std::move(question),
              done = std::move(done)](Result<Reader*> reader) mutable {
            if (reader) {
                done(question(**reader));
            } else {
                done(std::unexpected(std::move(reader.error())));
            }
        });
    }

private:
    /// Runs `job` on a pool thread with a reader that exists as long as the call.
    virtual void read(Job job) = 0;
};

}  // namespace smsrack::ports
