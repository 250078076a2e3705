/// Refuses callers who show a token or a code that does not count; an address that does it often must wait.
///
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/client_addresses.hpp"
#include "firmware-host/gate/wrong_tokens.hpp"
#include "src/base/result.hpp"

namespace smsrack::gate {

/// For all who show a token while the file of tokens could not be read since the start: none is wrong.
[[nodiscard]] Error tokens_unreadable();

class WrongCallers {
public:
    /// Both outlive the object.
    WrongCallers(const AnswerParts& parts, const ClientAddresses& addresses)
        : parts_(parts), addresses_(addresses) {}

    /// True, and answered: no further try for now.
    [[nodiscard]] bool must_wait(Answer& answer) const;

    /// Answers a request with a token or code that does not count, and counts it.
    void refuse(Answer& answer);

private:
    const AnswerParts& parts_;
    const ClientAddresses& addresses_;
    WrongTokens wrong_;
};

}  // namespace smsrack::gate
