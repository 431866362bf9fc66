// Every message of the verifier of spatial's whole applications.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

func.func @no_accelerator() {
  // expected-error @+1 {{'spatial.app' op expected one part for the accelerator, found 0}}
  spatial.app "A" {
  }
  return
}

// -----

func.func @another_dialect() {
  spatial.app "A" {
    // expected-error @+1 {{'arith.constant' op expected an operation of the application}}
    %0 = arith.constant 1 : i32
    spatial.accel {
    }
  }
  return
}

// -----

func.func @nested() {
  spatial.app "A" {
    spatial.accel {
      // expected-error @+1 {{'spatial.app' op expected no application around it}}
      spatial.app "B" {
        spatial.accel {
        }
      }
    }
  }
  return
}

// -----

func.func @outside(%n: i32) {
  spatial.app "A" {
    spatial.accel {
      // expected-error @+1 {{'spatial.sram' op expected a value that is made in the application}}
      %m = spatial.sram "m" size %n : !spatial.sram<f64>
    }
  }
  return
}

// -----

func.func @host_in_accelerator() {
  spatial.app "A" {
    spatial.accel {
      // expected-error @+1 {{'spatial.parameter' op expected to be outside of the accelerator}}
      %p = spatial.parameter "p" = 2
    }
  }
  return
}

// -----

func.func @accelerator_on_host() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    // expected-error @+1 {{'spatial.sram' op expected to be inside of the accelerator}}
    %m = spatial.sram "m" size %n : !spatial.sram<f64>
    spatial.accel {
    }
  }
  return
}

// -----

func.func @array_in_accelerator() {
  spatial.app "A" {
    %h = spatial.load_csv "h" from "h.csv" : !spatial.array<i32>
    %n = spatial.parameter "n" = 2
    spatial.accel {
      // expected-error @+1 {{'spatial.read' op expected what the accelerator has, found '!spatial.array<i32>'}}
      %0 = spatial.read %h[%n] : !spatial.array<i32>
      %1 = spatial.val "x" = %0 : i32
    }
  }
  return
}

// -----

func.func @memory_on_host() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    // expected-error @+1 {{'spatial.sparse_dram' op expected to be inside of the accelerator}}
    %d = spatial.sparse_dram "d" par %n size %n : !spatial.sparse_dram<i32>
    spatial.accel {
    }
  }
  return
}

// -----

func.func @length_in_accelerator() {
  spatial.app "A" {
    %h = spatial.load_csv "h" from "h.csv" : !spatial.array<i32>
    %n = spatial.length %h : !spatial.array<i32>
    spatial.accel {
      // expected-error @+1 {{'spatial.sram' op expected a value that is known before the host runs; `spatial.arg_in` gives others to the accelerator}}
      %m = spatial.sram "m" size %n : !spatial.sram<f64>
    }
  }
  return
}

// -----

func.func @value_in_accelerator() {
  spatial.app "A" {
    %zero = spatial.int 0 : i32
    %0 = spatial.argument %zero
    %1 = spatial.cast %0 : !spatial.text to i32
    %n = spatial.val "n" = %1 : i32
    spatial.accel {
      // expected-error @+1 {{'spatial.sram' op expected a value that is known before the host runs; `spatial.arg_in` gives others to the accelerator}}
      %m = spatial.sram "m" size %n : !spatial.sram<f64>
    }
  }
  return
}

// -----

func.func @no_name() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %c = spatial.counter to %n by %n
      // expected-error @+1 {{'spatial.foreach' op expected a name for a value that is used, found `_`}}
      spatial.foreach over %c as (%i "_") {
        %m = spatial.sram "m" size %i : !spatial.sram<f64>
      }
    }
  }
  return
}

// -----

func.func @names() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %m = spatial.sram "m" size %n : !spatial.sram<f64>
      // expected-error @+1 {{'spatial.fifo' op expected a name of its own, found another `m`}}
      %f = spatial.fifo "m" depth %n : !spatial.fifo<f64>
    }
  }
  return
}

// -----

func.func @names_inside() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %c = spatial.counter to %n by %n
      // expected-error @+1 {{'spatial.foreach' op expected a name of its own, found another `n`}}
      spatial.foreach over %c as (%i "n") {
      }
    }
  }
  return
}

// -----

func.func @tensors(%a: tensor<?xf64>) {
  spatial.app "A" {
    spatial.tensor "a" operand of %a : tensor<?xf64>
    // expected-error @+1 {{'spatial.tensor' op expected a name of its own, found another `a`}}
    spatial.tensor "a" operand of %a : tensor<?xf64>
    spatial.accel {
    }
  }
  return
}

// -----

func.func @aliases() {
  spatial.app "A" {
    spatial.alias "T" = i32
    // expected-error @+1 {{'spatial.alias' op expected a name of its own, found another `T`}}
    spatial.alias "T" = i32
    spatial.accel {
    }
  }
  return
}

// -----

func.func @unknown_alias() {
  spatial.app "A" {
    spatial.accel {
      // expected-error @+1 {{'spatial.reg' op expected a name of a type that is declared before, found `T`}}
      %r = spatial.reg "r" as "T" : !spatial.reg<i32>
    }
  }
  return
}

// -----

func.func @another_alias() {
  spatial.app "A" {
    spatial.alias "T" = i32
    spatial.accel {
      // expected-error @+1 {{'spatial.reg' op expected `T` to be 'f64', found 'i32'}}
      %r = spatial.reg "r" as "T" : !spatial.reg<f64>
    }
  }
  return
}

// -----

func.func @unused() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %f = spatial.fifo "f" depth %n : !spatial.fifo<i32>
      %g = spatial.fifo "g" depth %n : !spatial.fifo<i32>
      // expected-error @+1 {{'spatial.dequeue' op expected to be used by the statement behind it, once and in the order of its operands; `spatial.val` keeps a value}}
      %0 = spatial.dequeue %f : !spatial.fifo<i32>
    }
  }
  return
}

// -----

func.func @twice() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %f = spatial.fifo "f" depth %n : !spatial.fifo<i32>
      %g = spatial.fifo "g" depth %n : !spatial.fifo<i32>
      // expected-error @+1 {{'spatial.dequeue' op expected to be used by the statement behind it, once and in the order of its operands; `spatial.val` keeps a value}}
      %0 = spatial.dequeue %f : !spatial.fifo<i32>
      %1 = spatial.val "a" = %0 : i32
      %2 = spatial.val "b" = %0 : i32
    }
  }
  return
}

// -----

func.func @in_another_order() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %f = spatial.fifo "f" depth %n : !spatial.fifo<i32>
      %g = spatial.fifo "g" depth %n : !spatial.fifo<i32>
      // expected-error @+1 {{'spatial.dequeue' op expected to be used by the statement behind it, once and in the order of its operands; `spatial.val` keeps a value}}
      %0 = spatial.dequeue %f : !spatial.fifo<i32>
      %1 = spatial.dequeue %g : !spatial.fifo<i32>
      %2 = spatial.binary subtract %1, %0 : i32
      %3 = spatial.val "d" = %2 : i32
    }
  }
  return
}

// -----

func.func @later() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %f = spatial.fifo "f" depth %n : !spatial.fifo<i32>
      %g = spatial.fifo "g" depth %n : !spatial.fifo<i32>
      // expected-error @+1 {{'spatial.dequeue' op expected to be used by the statement behind it, once and in the order of its operands; `spatial.val` keeps a value}}
      %0 = spatial.dequeue %f : !spatial.fifo<i32>
      spatial.enqueue %n to %g : !spatial.fifo<i32>
      spatial.enqueue %0 to %g : !spatial.fifo<i32>
    }
  }
  return
}

// -----

func.func @in_a_body() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %f = spatial.fifo "f" depth %n : !spatial.fifo<i32>
      %g = spatial.fifo "g" depth %n : !spatial.fifo<i32>
      // expected-error @+1 {{'spatial.dequeue' op expected to be used by the statement behind it, once and in the order of its operands; `spatial.val` keeps a value}}
      %0 = spatial.dequeue %f : !spatial.fifo<i32>
      %c = spatial.counter to %n by %n
      spatial.foreach over %c as (%i "i") {
        spatial.enqueue %0 to %g : !spatial.fifo<i32>
      }
    }
  }
  return
}

// -----

func.func @lanes() {
  spatial.app "A" {
    %p = spatial.parameter "p" = 32
    spatial.accel {
      // expected-error @+1 {{'spatial.counter' op expected at most 16 rounds at once of an innermost pattern, found 32}}
      %c = spatial.counter to %p by %p par %p
      spatial.foreach over %c as (%i "i") {
      }
    }
  }
  return
}

// -----

func.func @no_lane() {
  spatial.app "A" {
    %n = spatial.parameter "n" = 2
    spatial.accel {
      %bits = spatial.fifo "bits" depth %n : !spatial.bits
      %0 = spatial.int 0 : i32
      // expected-error @+1 {{'spatial.scan' op expected 1 round at once or more, found 0}}
      %s = spatial.scan %bits par %0 len %n
      spatial.foreach over %s as (%p "p", %i "i") {
      }
    }
  }
  return
}
