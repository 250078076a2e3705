#include "firmware-host/gate/admission.hpp"

#include "firmware-host/gate/session/same_origin.hpp"
#include "src/access/token.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::string_view no_token = "-";
constexpr std::string_view session_front = "session ";  // of a stream's key

/// A token in a target ends in logs and histories.
std::optional<std::string_view> token_in_query(const wire::HttpRequest& request) {
    for (const auto& [name, value] : request.params) {
        if (name == "token" || name == "access_token" || value.starts_with("smsrack_")) {
            return value;
        }
    }
    return std::nullopt;
}

/// What a request with the login of a browser must show besides its cookie. SameSite is no help against a page at another
/// port of this host, or at another name of its domain.
/// Errors:  forbidden.
Result<> may_with_cookie(const wire::HttpRequest& request, bool tls) {
    if (request.method != "GET" && request.method != "HEAD") {
        return may_change(request, tls);
    }
    // Acknowledges events of the client, and replaces its stream.
    return is_event_stream(request) && names_client(request) ? comes_from_page(request, tls)
                                                             : Result<>();
}

}  // namespace

bool is_event_stream(const wire::HttpRequest& request) {
    return (request.method == "GET" || request.method == "HEAD") && request.path == "/v1/events";
}

bool names_client(const wire::HttpRequest& request) {
    return !request.header("smsrack-client").empty() ||
           std::ranges::any_of(request.params,
                               [](const auto& param) { return param.first == "client"; });
}

std::string Caller::key() const {
    return session.empty() ? token : std::string(session_front) + session;
}

std::optional<Caller> Admission::caller_of(const wire::HttpRequest& request, Answer& answer) {
    if (const std::string_view shown = request.header("authorization"); !shown.empty()) {
        return with_token(shown, answer);
    }
    if (const auto login = parts_.logins.of(request); login || parts_.is_own) {
        return with_login(request, login, answer);
    }
    if (!request.peer->certificate.empty()) {
        return with_certificate(request, answer);
    }
    return Caller{.token = std::string(no_token)};
}

bool Admission::has_token_in_query(const wire::HttpRequest& request, Answer& answer) const {
    const auto shown = token_in_query(request);
    if (!shown) {
        return false;
    }
    const access::Token* const token = parts_.tokens.find(access::token_hash(*shown), now());
    parts_.answers.log.warn("token_in_query",
                            {{"token", token == nullptr ? "-" : token->name},
                             {"account", answer.client().network},
                             {"advice", "it may be in logs now; revoke it and make another"}});
    answer.fail({.code = Errc::bad_request,
                 .context = "a token belongs in the header Authorization; this one may be "
                            "in logs now, revoke it"});
    return true;
}

bool Admission::knows_tokens(Answer& answer) const {
    if (parts_.is_own || parts_.tokens.is_known()) {
        return true;
    }
    answer.fail(tokens_unreadable());
    return false;
}

std::optional<Caller> Admission::with_token(std::string_view shown, Answer& answer) {
    if (parts_.wrong.must_wait(answer)) {
        return std::nullopt;
    }
    if (!knows_tokens(answer)) {
        return std::nullopt;
    }
    const auto bearer = access::bearer_token(shown);
    std::string hash = access::token_hash(bearer.value_or(shown));  // as long for a malformed one
    const access::Token* const token = parts_.tokens.find(hash, now());
    if (!bearer || token == nullptr) {
        parts_.wrong.refuse(answer);
        return std::nullopt;
    }
    answer.of(token->name);
    return Caller{.token = std::move(hash)};
}

/// A browser shows a certificate to whatever page asks it to call us, as it does with a cookie.
std::optional<Caller> Admission::with_certificate(const wire::HttpRequest& request,
                                                  Answer& answer) {
    if (!knows_tokens(answer)) {
        return std::nullopt;
    }
    const access::Token* const token = parts_.tokens.named(request.peer->certificate, now());
    if (token == nullptr) {
        parts_.answers.metrics.refused_token();
        answer.fail({.code = Errc::unauthorized, .context = std::string(access::unknown_token)});
        return std::nullopt;
    }
    answer.of(token->name);
    const bool is_browser =
        !request.header("sec-fetch-site").empty() || !request.header("origin").empty();
    if (is_browser && !check_browser(request, answer)) {
        return std::nullopt;
    }
    return Caller{.token = token->hash};
}

std::optional<Caller> Admission::with_login(const wire::HttpRequest& request,
                                            const std::optional<Login>& login, Answer& answer) {
    if (!login) {
        answer.fail({.code = Errc::unauthorized,
                     .context = "this dashboard is for the browser that was logged in by the "
                                "address which `smsrack dashboard` printed"});
        return std::nullopt;
    }
    name_caller(login->token, answer);
    if (!check_browser(request, answer)) {
        return std::nullopt;
    }
    return Caller{.token = login->token, .session = login->session};
}

/// False, and answered: another page may have made the browser call.
bool Admission::check_browser(const wire::HttpRequest& request, Answer& answer) const {
    const auto allowed = may_with_cookie(request, parts_.answers.tls);
    if (!allowed) {
        answer.fail(allowed.error());
    }
    return allowed.has_value();
}

void Admission::name_caller(const std::string& token, Answer& answer) const {
    const access::Token* const found = parts_.tokens.find(token, now());
    answer.of(found == nullptr ? "own" : found->name);
}

bool Admission::counts(const std::string& key) const {
    if (key.starts_with(session_front)) {
        return parts_.logins.is_open(std::string_view(key).substr(session_front.size()));
    }
    return key == no_token || parts_.tokens.find(key, now()) != nullptr;
}

}  // namespace smsrack::gate
