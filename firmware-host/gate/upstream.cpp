#include "firmware-host/gate/upstream.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {

class Upstream::Connection {
public:
    Connection(Upstream& upstream, net::Loop& loop)
        : upstream_(upstream),
          client_(loop, upstream.socket_path_, upstream.read_memory_,
                  {.data = [this](std::string_view octets) { take(octets); },
                   .written =
                       [this] {
                           if (const auto taken = events_.taken) {
                               taken();
                           }
                       },
                   .closed = [this] { ended(); }}) {}

    void begin(std::string request, Over over, Events events) {
        is_own_ = over == Over::own;
        events_ = std::move(events);
        parser_ = {};
        told_head_ = false;
        busy_ = true;
        client_.write(std::move(request));
    }
    /// Its call is over; it gets no further event.
    void let_go() { events_ = {}; }

    [[nodiscard]] net::UnixClient& client() { return client_; }
    /// Whole, and ready for another call.
    [[nodiscard]] bool is_reusable() const {
        return !busy_ && !broken_ && !is_own_ && parser_.complete() && parser_.keeps_alive() &&
               client_.backlog() == 0;
    }

private:
    void take(std::string_view octets) {
        if (!busy_) {
            return ended();  // it says something unasked
        }
        // An event may destroy this object: then nothing of it is touched any more.
        const std::weak_ptr<int> lives = lives_;
        std::vector<std::string> pieces;
        const auto fed =
            parser_.feed(octets, [&pieces](const wire::ReplyHead&, std::string_view piece) {
                if (pieces.empty()) {
                    pieces.emplace_back();
                }
                pieces.front() += piece;
            });
        if (parser_.head_whole() && !std::exchange(told_head_, true)) {
            const auto head = events_.head;
            head(parser_.head());
        }
        if (!lives.expired() && !pieces.empty()) {
            const auto body = events_.body;
            body(pieces.front());
        }
        if (lives.expired()) {
            return;
        }
        broken_ = broken_ || !fed || !octets.empty();
        if (!fed) {
            return ended();
        }
        if (parser_.complete()) {
            busy_ = false;
            const auto end = events_.end;
            end();
        }
    }

    void ended() {
        broken_ = true;
        if (!busy_) {
            upstream_.forget(*this);  // which destroys it, if it is idle
            return;
        }
        busy_ = false;
        const bool whole = parser_.end_of_stream().has_value();
        if (const auto told = whole ? events_.end : events_.lost) {
            told();
        }
    }

    Upstream& upstream_;
    Events events_;
    wire::ResponseParser parser_;
    const std::shared_ptr<int> lives_ = std::make_shared<int>();
    bool told_head_ = false;
    bool busy_ = false;
    bool broken_ = false;
    bool is_own_ = false;  // it carries no further call
    net::UnixClient client_;
};

Upstream::Call::Call(Upstream& upstream, std::unique_ptr<Connection> connection)
    : upstream_(upstream), connection_(std::move(connection)) {}

Upstream::Call::~Call() {
    connection_->let_go();
    if (connection_->is_reusable()) {
        upstream_.keep(std::move(connection_));
    }
}

void Upstream::Call::write(std::string octets) {
    connection_->client().write(std::move(octets));
}

std::size_t Upstream::Call::backlog() const {
    return connection_->client().backlog();
}

void Upstream::Call::pause(bool paused) {
    connection_->client().pause(paused);
}

bool Upstream::Call::has_arrived() const {
    return connection_->client().connected();
}

Upstream::Upstream(net::Loop& loop, std::string socket_path)
    : loop_(loop), socket_path_(std::move(socket_path)) {}

Upstream::~Upstream() = default;

std::unique_ptr<Upstream::Call> Upstream::begin(std::string request, Over over, Events events) {
    std::unique_ptr<Connection> connection;
    if (over == Over::any && !idle_.empty()) {
        connection = std::move(idle_.back());
        idle_.pop_back();
    } else {
        connection = std::make_unique<Connection>(*this, loop_);
    }
    connection->begin(std::move(request), over, std::move(events));
    return std::make_unique<Call>(*this, std::move(connection));
}

void Upstream::keep(std::unique_ptr<Connection> connection) {
    connection->client().pause(false);
    if (idle_.size() < idle_max) {
        idle_.push_back(std::move(connection));
    }
}

void Upstream::forget(const Connection& idle) {
    std::erase_if(idle_, [&](const auto& it) { return it.get() == &idle; });
}

}  // namespace smsrack::gate
