/// Base of the classes that others implement: never copied, and destroyed through a pointer to them.
#pragma once

namespace smsrack {

class Interface {
public:
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
};

}  // namespace smsrack
