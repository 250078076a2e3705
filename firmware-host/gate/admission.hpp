/// Finds out who calls: by a token, by the login of a browser, or by a certificate; and refuses who
/// may not call at all.
///
/// The gate looks a token up to refuse wrong ones early, for its limits and for its log; what a caller
/// may do the service decides.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/session/logins.hpp"
#include "firmware-host/gate/wrong_callers.hpp"
#include "src/access/token_book.hpp"
#include "src/base/clock.hpp"
#include "src/wire/http_message.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

struct Caller {
    std::string token = {};    ///< hash; "-": none; own_account
    std::string session = {};  ///< hash; empty: it is no browser with a login
    /// By which the streams of a token or a login are known.
    [[nodiscard]] std::string key() const;
};

struct AdmissionParts {
    const AnswerParts& answers;
    const access::TokenBook& tokens;
    WrongCallers& wrong;
    Logins& logins;
    bool is_own = false;  ///< the gate runs as the caller: only a login may call, none without
};

class Admission {
public:
    /// What `parts` refers to outlives the object.
    explicit Admission(const AdmissionParts& parts) : parts_(parts) {}

    /// The caller; nullopt, and answered: it may not call.
    [[nodiscard]] std::optional<Caller> caller_of(const wire::HttpRequest& request, Answer& answer);
    /// True, and answered: the request has a token where it ends in logs and histories.
    [[nodiscard]] bool has_token_in_query(const wire::HttpRequest& request, Answer& answer) const;
    /// For the log, and for the limits of a token.
    void name_caller(const std::string& token, Answer& answer) const;

    /// Whether the token or login of Caller::key() still counts.
    [[nodiscard]] bool counts(const std::string& key) const;

private:
    [[nodiscard]] std::optional<Caller> with_token(std::string_view shown, Answer& answer);
    [[nodiscard]] std::optional<Caller> with_login(const wire::HttpRequest& request,
                                                   const std::optional<Login>& login,
                                                   Answer& answer);
    /// By the name in its certificate, which is that of a token.
    [[nodiscard]] std::optional<Caller> with_certificate(const wire::HttpRequest& request,
                                                         Answer& answer);
    /// False, and answered: the file of tokens could not be read since the start, so no token is wrong.
    [[nodiscard]] bool knows_tokens(Answer& answer) const;
    [[nodiscard]] bool check_browser(const wire::HttpRequest& request, Answer& answer) const;
    [[nodiscard]] WallTime now() const { return parts_.answers.clock.wall(); }

    const AdmissionParts parts_;
};

/// The stream of events.
[[nodiscard]] bool is_event_stream(const wire::HttpRequest& request);
/// It is of a client with a name, and acknowledges events of it.
[[nodiscard]] bool names_client(const wire::HttpRequest& request);

}  // namespace smsrack::gate
