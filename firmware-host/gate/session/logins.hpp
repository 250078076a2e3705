/// Logs browsers in and out, and knows whose login a request's cookie is.
///
/// The token, or the account for which the gate runs, decides what a login may do: the service looks it up at each call.
/// Bound:   those of Sessions and OneTimeCodes.
/// Time:    save() and sweep() are called about each minute.
/// Threads: loop thread.
#pragma once

#include "firmware-host/gate/answer.hpp"
#include "firmware-host/gate/session/one_time_codes.hpp"
#include "firmware-host/gate/session/session_cookie.hpp"
#include "firmware-host/gate/session/session_file.hpp"
#include "firmware-host/gate/session/sessions.hpp"
#include "firmware-host/gate/wrong_callers.hpp"
#include "src/access/token_book.hpp"
#include "src/wire/http_message.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::gate {

/// The token of a gate that runs as the caller: it shows none, and the service sees the account.
inline constexpr std::string_view own_account;

struct LoginParts {
    const AnswerParts& answers;
    const access::TokenBook& tokens;
    WrongCallers& wrong;
    SessionCookie cookie = {};
    std::chrono::seconds idle_max = {};
    bool is_own = false;                           ///< a browser logs in by a code; else by a token
    std::function<std::string()> new_secret = {};  ///< 256 random bits, in 64 hex digits
    std::string file = {};                         ///< of the logins; empty: a restart ends them
};

/// The login that a request's cookie shows.
struct Login {
    std::string token = {};    ///< hash, or own_account
    std::string session = {};  ///< hash
};

/// What a browser that wants a login has shown, and what counts.
struct LoginTry {
    std::string token = {};                          ///< hash, or own_account
    std::string before = {};                         ///< session whose cookie it has; empty: none
    std::shared_ptr<OneTimeCodes::Taken> code = {};  ///< null: a token was shown
};

class Logins {
public:
    /// What `parts` refers to outlives the object.
    explicit Logins(LoginParts parts);

    /// nullopt: the request has no cookie of a login. Counts as a use.
    [[nodiscard]] std::optional<Login> of(const wire::HttpRequest& request);

    /// The token or the code that POST /v1/session shows; nullopt, and answered: it does not count.
    [[nodiscard]] std::optional<LoginTry> try_of(const wire::HttpRequest& request, Answer& answer);
    /// Begins a login, and ends the one that the browser had; returns the field Set-Cookie.
    [[nodiscard]] std::string begin(const LoginTry& login);
    /// Ends it; returns the field Set-Cookie.
    [[nodiscard]] std::string end(const Login& login);

    [[nodiscard]] bool is_open(std::string_view session) const;

    /// Ends logins that are over, and those of tokens that do not count any more.
    void sweep();
    /// False: the file is as it was.
    bool save();

    /// For a gate that runs as the caller: logs in once, soon.
    [[nodiscard]] std::string new_code();

private:
    [[nodiscard]] std::optional<LoginTry> with_code(std::string_view code, Answer& answer);
    [[nodiscard]] std::optional<LoginTry> with_token(std::string_view token, Answer& answer);
    void end_session(std::string_view session);
    [[nodiscard]] bool counts(const std::string& token) const;
    [[nodiscard]] SteadyTime now() const { return parts_.answers.clock.steady(); }

    const LoginParts parts_;
    Sessions sessions_;
    OneTimeCodes codes_;
    std::optional<SessionFile> file_;  // nullopt: there is none
    bool said_unsaved_ = false;
};

}  // namespace smsrack::gate
