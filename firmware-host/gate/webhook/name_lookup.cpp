#include "firmware-host/gate/webhook/name_lookup.hpp"

#include "firmware-host/gate/webhook/socket_address.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <netdb.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr std::size_t addresses_max = 16;  // further ones are of no use

}  // namespace

struct NameLookup::State {
    explicit State(net::Loop& of) : loop(&of) {}

    /// On the loop thread.
    void tell(std::uint64_t number, Result<Addresses> found) {
        auto asked = waiting.extract(number);
        if (!asked.empty()) {
            asked.mapped()(std::move(found));
        }
    }

    std::map<std::uint64_t, Done> waiting;  // loop thread alone
    std::mutex mutex;                       // guards what follows
    net::Loop* loop;                        // null: the NameLookup is gone
    std::size_t running = 0;
};

NameLookup::NameLookup(net::Loop& loop, Resolve resolve)
    : state_(std::make_shared<State>(loop)), resolve_(std::move(resolve)) {}

NameLookup::~NameLookup() {
    const std::lock_guard lock(state_->mutex);
    state_->loop = nullptr;
    state_->waiting.clear();
}

void NameLookup::begin(std::string host, Done done) {
    const std::uint64_t number = ++asked_;
    state_->waiting.emplace(number, std::move(done));
    const std::lock_guard lock(state_->mutex);
    const auto refuse = [&](const char* why) {
        state_->loop->post(
            [state = state_, number, why] { state->tell(number, fail(Errc::busy, why)); });
    };
    if (state_->running >= lookups_max) {
        return refuse("too many lookups of names wait for their servers");
    }
    try {
        std::thread([state = state_, resolve = resolve_, host = std::move(host), number] {
            auto found = resolve(host);
            const std::lock_guard held(state->mutex);
            --state->running;
            if (state->loop != nullptr) {
                state->loop->post([state, number, found = std::move(found)]() mutable {
                    state->tell(number, std::move(found));
                });
            }
        }).detach();
        ++state_->running;
    } catch (const std::system_error&) {
        refuse("the system has no room for another thread");
    }
}

Result<NameLookup::Addresses> NameLookup::resolve_by_system(const std::string& host) {
    const addrinfo hints{.ai_flags = AI_ADDRCONFIG,
                         .ai_family = AF_UNSPEC,
                         .ai_socktype = SOCK_STREAM,
                         .ai_protocol = 0,
                         .ai_addrlen = 0,
                         .ai_addr = nullptr,
                         .ai_canonname = nullptr,
                         .ai_next = nullptr};
    addrinfo* first = nullptr;
    const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &first);
    if (error != 0) {
        return fail(error == EAI_AGAIN ? Errc::timeout : Errc::not_found, ::gai_strerror(error),
                    error);
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(first, ::freeaddrinfo);
    Addresses found;
    for (const addrinfo* one = all.get(); one != nullptr && found.size() < addresses_max;
         one = one->ai_next) {
        const auto address = ip_address_of(*one->ai_addr);
        if (address && std::ranges::find(found, *address) == found.end()) {
            found.push_back(*address);
        }
    }
    return found;
}

}  // namespace smsrack::gate
