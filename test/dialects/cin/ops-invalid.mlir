// Every message of the verifiers of cin's operations.

// RUN: %comet-opt %s -verify-diagnostics -split-input-file

func.func @split(%i: !cin.index) {
  // expected-error @+1 {{'cin.split' op expected a positive factor, found 0}}
  %io, %ii = cin.split %i by 0 names "io", "ii"
  return
}

// -----

func.func @divide(%i: !cin.index) {
  // expected-error @+1 {{'cin.divide' op expected a positive number of parts, found -1}}
  %io, %ii = cin.divide %i into -1 names "io", "ii"
  return
}

// -----

func.func @bound(%i: !cin.index) {
  // expected-error @+1 {{'cin.bound' op expected a positive bound, found 0}}
  %ib = cin.bound %i to 0 name "ib"
  return
}

// -----

func.func @fuse(%i: !cin.index) {
  // expected-error @+1 {{'cin.fuse' op expected two different variables}}
  %f = cin.fuse %i, %i name "f"
  return
}

// -----

func.func @pos(%i: !cin.index, %A: tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>) {
  // expected-error @+1 {{'cin.pos' op expected a level below 3, found 3}}
  %p = cin.pos %i in %A[%i, %i] level 3 name "p" : tensor<?x?xf64, #ta.format<[d0 : D, slot : D, d1 : S]>>
  return
}

// -----

func.func @pos_indices(%i: !cin.index, %A: tensor<?x?xf64, #ta.format<[D, CU]>>) {
  // expected-error @+1 {{'cin.pos' op expected one index variable for each of the 2 modes, found 1}}
  %p = cin.pos %i in %A[%i] level 1 name "p" : tensor<?x?xf64, #ta.format<[D, CU]>>
  return
}

// -----

func.func @map() {
  // expected-error @+1 {{'cin.map' op expected a positive factor, found 0}}
  cin.map "spatial" "reduction" factor 0 {
  }
  return
}

// -----

func.func @tasks(%i: !cin.index) {
  // expected-error @+1 {{'cin.forall' op expected a positive number of tasks, found 0}}
  cin.forall %i parallel cpu tasks 0 {
  }
  return
}

// -----

func.func @unroll(%i: !cin.index) {
  // expected-error @+1 {{'cin.forall' op expected a positive unroll factor, found 0}}
  cin.forall %i unroll 0 {
  }
  return
}

// -----

func.func @vectorize(%i: !cin.index) {
  // expected-error @+1 {{'cin.forall' op expected a positive vector width, found -8}}
  cin.forall %i vectorize -8 {
  }
  return
}

// -----

func.func @bound_twice(%n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{'cin.forall' op its variable is bound by an enclosing loop already}}
        cin.forall %i {
        }
      }
    }
  }
  return
}

// -----

func.func @foreign_variable(%i: !cin.index) {
  cin.compute {
    // expected-error @+1 {{'cin.forall' op expected an index variable of the same `cin.compute`}}
    cin.forall %i {
    }
  }
  return
}

// -----

func.func @access_rank(%A: tensor<?x?xf64>, %i: !cin.index) {
  // expected-error @+1 {{'cin.access' op expected one index variable for each of the 2 modes, found 1}}
  %0 = cin.access %A[%i] : tensor<?x?xf64> -> f64
  return
}

// -----

func.func @access_type(%x: tensor<?xf64>, %i: !cin.index) {
  // expected-error @+1 {{'cin.access' op expected a value of type 'f64', found 'f32'}}
  %0 = cin.access %x[%i] : tensor<?xf64> -> f32
  return
}

// -----

func.func @access_unbound(%A: tensor<?x?xf64>, %s: tensor<f64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      // expected-error @+1 {{'cin.access' op expected loops around it that bind its index variable 1}}
      %0 = cin.access %A[%i, %j] : tensor<?x?xf64> -> f64
      cin.assign %0 to %s[] add : f64, tensor<f64>
    }
  }
  return
}

// -----

func.func @assign_rank(%x: tensor<?xf64>, %0: f64) {
  // expected-error @+1 {{'cin.assign' op expected one index variable for each of the 1 modes, found 0}}
  cin.assign %0 to %x[] set : f64, tensor<?xf64>
  return
}

// -----

func.func @assign_type(%x: tensor<f64>, %0: i64) {
  // expected-error @+1 {{'cin.assign' op expected a value of type 'f64', found 'i64'}}
  cin.assign %0 to %x[] set : i64, tensor<f64>
  return
}

// -----

// One half of a split does not fix the variable.

func.func @assign_unbound(%x: tensor<?xf64>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %io, %ii = cin.split %i by 4 names "io", "ii"
    cin.forall %io {
      // expected-error @+1 {{'cin.assign' op expected loops around it that bind its index variable 0}}
      cin.assign %0 to %x[%i] set : f64, tensor<?xf64>
    }
  }
  return
}

// -----

func.func @value_type(%a: index) {
  // expected-error @+1 {{'cin.neg' op operand #0 must be an element type, but got 'index'}}
  %0 = cin.neg %a : index
  return
}

// -----

func.func @scalar_workspace() {
  // expected-error @+1 {{'cin.temporary' op expected a scalar workspace of rank 0, found 'tensor<4xf64>'}}
  %t = cin.temporary "t" scalar : tensor<4xf64>
  return
}

// -----

func.func @register_workspace() {
  // expected-error @+1 {{'cin.temporary' op expected a register workspace of rank 1 and static size, found 'tensor<?xf64>'}}
  %t = cin.temporary "t" registers : tensor<?xf64>
  return
}

// -----

func.func @dense_workspace() {
  // expected-error @+1 {{'cin.temporary' op expected dense levels in a dense workspace, found 'tensor<?xf64, #ta.format<[CU]>>'}}
  %t = cin.temporary "t" dense : tensor<?xf64, #ta.format<[CU]>>
  return
}

// -----

func.func @hash_workspace() {
  // expected-error @+1 {{'cin.temporary' op expected a hash workspace of rank 1 or more, found 'tensor<f64>'}}
  %t = cin.temporary "t" hash : tensor<f64>
  return
}

// -----

func.func @capacity() {
  // expected-error @+1 {{'cin.temporary' op expected a capacity only for a hash or list workspace, found one for a dense workspace}}
  %t = cin.temporary "t" dense 64 : tensor<?xf64>
  return
}

// -----

func.func @no_capacity() {
  // expected-error @+1 {{'cin.temporary' op expected a positive capacity, found 0}}
  %t = cin.temporary "t" list 0 : tensor<?xf64>
  return
}

// -----

func.func @where(%a: f64, %y: tensor<f64>) {
  cin.compute {
    %t = cin.temporary "t" scalar : tensor<f64>
    // expected-error @+1 {{'cin.where' op expected a consumer that reads what the producer assigns}}
    cin.where {
      cin.assign %a to %y[] set : f64, tensor<f64>
    } producer {
      cin.assign %a to %t[] add : f64, tensor<f64>
    }
  }
  return
}

// -----

func.func @unwritten_workspace(%y: tensor<f64>) {
  cin.compute {
    %t = cin.temporary "t" scalar : tensor<f64>
    // expected-error @+1 {{'cin.access' op expected an assignment to the workspace before it is read}}
    %0 = cin.access %t[] : tensor<f64> -> f64
    cin.assign %0 to %t[] add : f64, tensor<f64>
    cin.assign %0 to %y[] set : f64, tensor<f64>
  }
  return
}

// -----

// A workspace is known in the block that it stands in, and nowhere else.

func.func @workspace_out_of_scope(%a: f64, %y: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %t = cin.temporary "t" scalar : tensor<f64>
      cin.assign %a to %t[] set : f64, tensor<f64>
    }
    cin.forall %i {
      // expected-error @+1 {{use of undeclared SSA value name}}
      %0 = cin.access %t[] : tensor<f64> -> f64
      cin.assign %0 to %y[%i] set : f64, tensor<?xf64>
    }
  }
  return
}

// -----

func.func @mask_of_a_value(%a: f64) {
  cin.compute {
    // expected-error @+1 {{'cin.mask' op expected an access as the mask}}
    %0 = cin.mask %a by %a : f64 by f64
  }
  return
}

// -----

func.func @command_about_a_type() {
  // expected-error @+1 {{'cin.command' op expected names, numbers and lists of them as its arguments, found f64}}
  cin.command "split" ["i", f64]
  return
}

// -----

func.func @access_order(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{expected the order [%j, %i] of the tensor's levels, found [%i, %j]}}
        %1 = cin.access %B[%i, %j] order [%i, %j] : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>> -> f64
      }
    }
  }
  return
}

// -----

func.func @assign_order(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{expected the order [%i, %j] of the tensor's levels, found [%i floordiv 4, %j]}}
        cin.assign %0 to %A[%i, %j] order [%i floordiv 4, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      }
    }
  }
  return
}

// -----

func.func @in_place_unread(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        %0 = cin.access %A[%j, %i] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
        // expected-error @+1 {{'cin.assign' op expected an access to the element that is assigned to in place}}
        cin.assign %0 to %A[%i, %j] set in_place : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      }
    }
  }
  return
}

// -----

func.func @in_place_dense(%x: tensor<?xf64>, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      %0 = cin.access %x[%i] : tensor<?xf64> -> f64
      // expected-error @+1 {{'cin.assign' op expected a sparse tensor of the program to assign to in place}}
      cin.assign %0 to %x[%i] set in_place : f64, tensor<?xf64>
    }
  }
  return
}

// -----

func.func @not_concordant(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{'cin.assign' op claims to be concordant, but the loops bring points in the order [i, j], and its target stores them in the order [j, i]}}
        cin.assign %0 to %B[%i, %j] set concordant : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
      }
    }
  }
  return
}

// -----

func.func @not_discordant(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{'cin.assign' op claims to be discordant, but the loops bring points in the order [i, j], as its target stores them, in the order [i, j]}}
        cin.assign %0 to %A[%i, %j] set discordant header [j, i] -> [i, j] : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
      }
    }
  }
  return
}

// -----

func.func @another_header(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{'cin.assign' op expected the header [i, j] -> [j, i], found [k] -> [j, i]}}
        cin.assign %0 to %B[%i, %j] set discordant header [k] -> [j, i] : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
      }
    }
  }
  return
}

// -----

func.func @header_of_concordant(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{'cin.assign' op expected a header in an assignment that claims to be discordant, and in no other}}
        "cin.assign"(%0, %A, %i, %j) <{reduction = "set", claim = 0 : i32, header_from = ["i", "j"], header_to = ["i", "j"]}> : (f64, tensor<?x?xf64, #ta.format<[D, CU]>>, !cin.index, !cin.index) -> ()
      }
    }
  }
  return
}

// -----

func.func @no_header(%A: tensor<?x?xf64, #ta.format<[D, CU]>>, %B: tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %j = cin.index_var "j" size %n
    cin.forall %i {
      cin.forall %j {
        // expected-error @+1 {{'cin.assign' op expected a header in an assignment that claims to be discordant, and in no other}}
        "cin.assign"(%0, %B, %i, %j) <{reduction = "set", claim = 1 : i32}> : (f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>, !cin.index, !cin.index) -> ()
      }
    }
  }
  return
}

// -----

// The second half of what is split counts faster, so its loop belongs inside.

func.func @halves_in_wrong_order(%x: tensor<?xf64, #ta.format<[CU]>>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    %io, %ii = cin.split %i by 4 names "io", "ii"
    cin.forall %ii {
      cin.forall %io {
        // expected-error @+1 {{'cin.assign' op claims to be concordant, but the loops bring points in the order [ii, io], and its target stores them in the order [i]}}
        cin.assign %0 to %x[%i] add concordant : f64, tensor<?xf64, #ta.format<[CU]>>
      }
    }
  }
  return
}

// -----

func.func @no_reduction(%y: tensor<?xf64>, %0: f64, %n: index) {
  cin.compute {
    %i = cin.index_var "i" size %n
    cin.forall %i {
      // expected-error @+1 {{'cin.assign' op expected a reduction, found "sub"}}
      cin.assign %0 to %y[%i] sub : f64, tensor<?xf64>
    }
  }
  return
}
