/// An administrator's order to a token of the network: it shall count no more.
///
/// The file of the tokens stays as it is: the service may not write it. It remembers the hash.
/// Threads: the loop thread.
#pragma once

#include "src/base/interface.hpp"
#include "src/base/result.hpp"

#include <functional>
#include <string>

namespace smsrack::ports {

class TokenOrders : public Interface {
public:
    /// It counts no more at once, and its streams end. `done`: this will outlast a restart too.
    /// Errors of done: not_found: no token has this name; storage: it can't be kept, so it ends with
    ///          this run.
    virtual void revoke(const std::string& name, std::move_only_function<void(Result<>)> done) = 0;
};

}  // namespace smsrack::ports
