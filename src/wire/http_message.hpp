/// A request and its answer as values, and the two interfaces that carry them: the handler
/// (src/api) and the responder (one per request; http_session implements it).
///
/// Threads: all on the loop thread. A ResponderPtr may be kept, moved and dropped by any thread.
/// Errors:  a client that went away is not one: what is sent to it is dropped.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/executor.hpp"
#include "src/base/interface.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::wire {

/// The other side of a connection, as the kernel reports it.
struct Peer {
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    std::vector<std::uint32_t> groups = {};  ///< supplementary ones
    bool known = false;                      ///< false: the rest means nothing
    /// Over the network: its numeric address; uid is then a number of its network, and no account.
    std::string address = {};
    /// Over TLS: the common name of its certificate, which was verified; empty: it showed none.
    std::string certificate = {};
};

struct HeaderField {
    std::string name;  ///< small letters in requests
    std::string value;
};

struct HttpRequest {
    std::string method = {};
    std::string path = {};  ///< percent-decoded
    /// Of the query, decoded, in order ("+" stays "+").
    std::vector<std::pair<std::string, std::string>> params = {};
    std::vector<HeaderField> headers = {};
    std::string body = {};        ///< empty where the body is streamed
    const Peer* peer = nullptr;   ///< valid while the handler is called
    SteadyTime received_at = {};  ///< when its last octet came
    bool keep_alive = true;       ///< never on HTTP/1.0
    bool is_1_1 = true;
    bool expects_continue = false;
    bool has_body = false;

    /// The value of the first such header, or an empty view. `name` in small letters.
    [[nodiscard]] std::string_view header(std::string_view name) const {
        const auto found = std::ranges::find(headers, name, &HeaderField::name);
        return found == headers.end() ? std::string_view() : std::string_view(found->value);
    }
};

struct HttpResponse {
    int status = 200;
    std::string content_type = "application/json";
    std::vector<HeaderField> headers = {};
    std::string body = {};
};

/// The answer to one request: send() once, or begin(), any number of write(), end().
class Responder : public Interface {
public:
    virtual void send(HttpResponse response) = 0;

    /// Begins a streamed answer (response.body is its first piece). With `filler_every` above zero
    /// `filler` is written whenever nothing else was written for this long.
    virtual void begin(HttpResponse response, std::chrono::seconds filler_every,
                       std::string filler) = 0;
    virtual void write(std::string_view piece) = 0;
    virtual void end() = 0;

    /// Cuts the connection in the middle of a streamed answer.
    virtual void cut() = 0;

    /// Cuts the connection for another than the author. The author is notified as if the client had
    /// gone, some time later; what it writes until then is dropped.
    virtual void revoke() = 0;

    /// Octets written and not yet taken by the client; `then` of on_drained runs once when there
    /// are none.
    [[nodiscard]] virtual std::size_t backlog() const = 0;
    virtual void on_drained(Job then) = 0;

    /// True once the client is gone (any thread may ask); `then` of on_closed runs once at that time (not after end() or
    /// send()).
    [[nodiscard]] virtual bool closed() const = 0;
    virtual void on_closed(Job then) = 0;

    /// The answer can be gone on with by another process: `mark` says how far it is, for
    /// HttpHandler::resume() there. Asked at most once; then the answer is not this one's any more.
    virtual void resumable(std::move_only_function<std::string()> mark) = 0;

    /// What each mark of resumable() begins with, besides what its author says: whom the answer is for.
    virtual void mark_front(std::string front) = 0;

    /// Back-pressure on a streamed request body.
    virtual void pause_body(bool paused) = 0;

    /// Octets that its author holds for this answer, written or not: they count in the budget of the client's account.
    virtual void holds(std::size_t bytes) = 0;
    /// Octets by which it may grow: what its account may still hold. `then` of on_drained runs, too, once all was taken
    /// and there is some room again.
    [[nodiscard]] virtual std::size_t room() const = 0;
};
using ResponderPtr = std::shared_ptr<Responder>;

/// Takes a streamed request body, piece by piece.
class BodyReader : public Interface {
public:
    virtual void data(std::string_view piece) = 0;
    virtual void end() = 0;  ///< the body is whole
    /// This side reads no more of it: what came whole is answered, so that the client sees how far it got.
    virtual void stopped() { end(); }
    /// The client went away, or its framing broke: nothing can be answered any more.
    virtual void aborted() = 0;
};

class HttpHandler : public Interface {
public:
    /// Asked with the head alone: true where stream() shall be called with it, rather than handle()
    /// with the whole body.
    [[nodiscard]] virtual bool wants_stream(const HttpRequest& head) const = 0;

    /// The largest answer to expect, in octets, which the client's account must have room for before handle() is called.
    [[nodiscard]] virtual std::size_t answer_bytes(const HttpRequest& request) const = 0;

    virtual void handle(HttpRequest request, ResponderPtr responder) = 0;

    /// May refuse by answering at once and returning nothing.
    [[nodiscard]] virtual std::unique_ptr<BodyReader> stream(HttpRequest head,
                                                             ResponderPtr responder) = 0;

    /// Resumes an answer that another process has begun, or has not: see Responder::resumable().
    /// Returns the receiver of the rest of the request's body; null if all of it had come. `peer`
    /// is valid during the call.
    [[nodiscard]] virtual std::unique_ptr<BodyReader> resume(std::string mark, const Peer& peer,
                                                             ResponderPtr responder) = 0;

    /// What the protocol itself refuses (413, 431, 408, 400 ...), in the house's form of an error.
    [[nodiscard]] virtual HttpResponse refusal(int status, std::string_view reason) const = 0;
};

}  // namespace smsrack::wire
