#include "firmware-host/gate/session/logins.hpp"

#include "firmware-host/gate/session/same_origin.hpp"
#include "src/access/token.hpp"
#include "src/wire/json.hpp"

#include <utility>

namespace smsrack::gate {
namespace {

struct Shown {
    bool is_code = false;
    std::string text = {};
};

/// Errors:  bad_request.
Result<Shown> shown_in(const std::string& body) {
    const auto json = wire::parse_json(body);
    if (json && json->is_object() && json->size() == 1) {
        for (const bool is_code : {false, true}) {
            const auto member = json->find(is_code ? "code" : "token");
            if (member != json->end() && member->is_string()) {
                return Shown{.is_code = is_code, .text = member->get<std::string>()};
            }
        }
    }
    return fail(Errc::bad_request, R"(a login is {"token":"smsrack_..."} or {"code":"..."})");
}

/// A page of another site must not log a browser in, as itself. Programs send neither header.
Result<> may_log_in(const wire::HttpRequest& request, bool tls) {
    const bool by_browser =
        !request.header("sec-fetch-site").empty() || !request.header("origin").empty();
    return by_browser ? may_change(request, tls) : Result<>();
}

}  // namespace

Logins::Logins(LoginParts parts) : parts_(std::move(parts)), sessions_(parts_.idle_max) {
    if (!parts_.file.empty()) {
        file_.emplace(parts_.file, parts_.answers.clock);
        file_->load(sessions_);
    }
}

bool Logins::counts(const std::string& token) const {
    return token == own_account ||
           parts_.tokens.find(token, parts_.answers.clock.wall()) != nullptr;
}

std::optional<Login> Logins::of(const wire::HttpRequest& request) {
    const std::string_view secret = parts_.cookie.value_in(request);
    if (secret.empty()) {
        return std::nullopt;
    }
    std::string hash = access::token_hash(secret);
    const Sessions::Session* const session = sessions_.use(hash, now());
    if (session == nullptr || !counts(session->token)) {
        return std::nullopt;
    }
    return Login{.token = session->token, .session = std::move(hash)};
}

std::optional<LoginTry> Logins::try_of(const wire::HttpRequest& request, Answer& answer) {
    if (const auto allowed = may_log_in(request, parts_.answers.tls); !allowed) {
        answer.fail(allowed.error());
        return std::nullopt;
    }
    const auto shown = shown_in(request.body);
    if (!shown) {
        answer.fail(shown.error());
        return std::nullopt;
    }
    auto login = shown->is_code ? with_code(shown->text, answer) : with_token(shown->text, answer);
    if (login) {
        if (const auto before = of(request)) {
            login->before = before->session;
        }
    }
    return login;
}

/// A wrong code makes no address wait: a link with one could lock an address out of a gate of the network, and any account of the
/// machine the owner of this one. A code cannot be guessed.
std::optional<LoginTry> Logins::with_code(std::string_view code, Answer& answer) {
    if (auto taken = parts_.is_own ? codes_.take(access::token_hash(code), now()) : nullptr) {
        return LoginTry{.token = std::string(own_account), .code = std::move(taken)};
    }
    answer.fail({.code = Errc::unauthorized,
                 .context =
                     "this code does not count: it was used, or it is older than 60 s, or it "
                     "is another gate's; `smsrack dashboard` prints an address with a new "
                     "one, and other gates take tokens"});
    return std::nullopt;
}

std::optional<LoginTry> Logins::with_token(std::string_view token, Answer& answer) {
    if (parts_.wrong.must_wait(answer)) {
        return std::nullopt;
    }
    if (!parts_.is_own && !parts_.tokens.is_known()) {
        answer.fail(tokens_unreadable());
        return std::nullopt;
    }
    std::string hash = access::token_hash(token);
    if (access::bearer_token("Bearer " + std::string(token)) && counts(hash)) {
        return LoginTry{.token = std::move(hash)};
    }
    parts_.wrong.refuse(answer);
    return std::nullopt;
}

std::string Logins::begin(const LoginTry& login) {
    const std::string secret = parts_.new_secret();
    if (login.code) {
        login.code->use();
    }
    sessions_.begin(access::token_hash(secret), login.token, now());
    if (!login.before.empty()) {
        end_session(login.before);
    } else {
        save();
    }
    return parts_.cookie.set(secret);
}

std::string Logins::end(const Login& login) {
    end_session(login.session);
    return parts_.cookie.clear();
}

/// It must not come back with a restart, not even where no file can be written.
void Logins::end_session(std::string_view session) {
    sessions_.end(session);
    if (!save()) {
        file_->remove();
    }
}

bool Logins::is_open(std::string_view session) const {
    return sessions_.is_open(session, now());
}

void Logins::sweep() {
    if (!parts_.is_own && !parts_.tokens.is_known()) {
        return;  // a file that can't be read ends no login
    }
    if (sessions_.sweep(now(), [this](const std::string& token) { return counts(token); })) {
        save();
    }
}

bool Logins::save() {
    if (!file_) {
        return true;
    }
    const auto saved = file_->save(sessions_);
    if (!saved && !std::exchange(said_unsaved_, true)) {
        parts_.answers.log.warn("logins_not_saved",
                                {{"detail", saved.error().context},
                                 {"advice", "a restart of the gate ends the logins of browsers"}});
    }
    return saved.has_value();
}

std::string Logins::new_code() {
    std::string code = parts_.new_secret();
    codes_.add(access::token_hash(code), now());
    return code;
}

}  // namespace smsrack::gate
