/// Looks up names of receivers without blocking the loop.
///
/// A server of names that never answers holds a lookup for up to a minute, so each has a thread of its own: none waits
/// behind another.
/// Bound:   lookups_max threads; a webhook has one lookup at a time.
/// Threads: loop thread. The threads are not joined: one that hangs must not delay the end of the process.
#pragma once

#include "firmware-host/net/loop.hpp"
#include "src/base/result.hpp"
#include "src/config/ip_address.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::gate {

class NameLookup {
public:
    static constexpr std::size_t lookups_max = 256;

    using Addresses = std::vector<config::IpAddress>;
    /// Errors: not_found: there is no such name, or it has no address; timeout: no server answered; busy: lookups_max.
    using Done = std::function<void(Result<Addresses>)>;
    /// In the place of getaddrinfo(); called by any thread.
    using Resolve = std::function<Result<Addresses>(const std::string& host)>;

    explicit NameLookup(net::Loop& loop, Resolve resolve = resolve_by_system);
    ~NameLookup();
    NameLookup(const NameLookup&) = delete;
    NameLookup& operator=(const NameLookup&) = delete;

    /// `done` is called later, unless the object is gone by then.
    void begin(std::string host, Done done);

    [[nodiscard]] static Result<Addresses> resolve_by_system(const std::string& host);

private:
    struct State;
    const std::shared_ptr<State> state_;
    const Resolve resolve_;
    std::uint64_t asked_ = 0;
};

}  // namespace smsrack::gate
